// A user of several companies, and tabs of one browser: what one tab does with the session that all have in common.
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { browserDatabases } from '../support/databases.ts'
import { newMaterialClient, type MaterialClient } from '../support/material-client.ts'
import { isAvailable } from '../support/requirements.ts'
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, submitPassword, type Appearance, type Person } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

describe.runIf(isAvailable('chromium')).each(browserDatabases)('tabs of one browser on $name', (database) => {
  let server: TestServer
  let context: BrowserContext
  let tab: Page
  let other: Page
  let own: MaterialClient
  let second: MaterialClient
  let kari: TestUser
  const browserFixture = useBrowser(async () => {
    server = await startTestServer(database, 'web-companies')
    return { address: await server.http.listen(0, '127.0.0.1'), stop: () => server.close() }
  })
  beforeEach(async () => {
    // Lines of companies have the same ids. Those of the second one are the older ones.
    second = await newMaterialClient(server)
    own = await newMaterialClient(server)
    await second.register(2)
    await own.register(2)
    kari = await server.addUser([
      { company: own.company, role: 'approver' },
      { company: second.company, role: 'approver' },
    ])
    await open()
  })

  const open = async (appearance?: Appearance) => {
    tab = await browserFixture.newPage(appearance)
    context = tab.context()
    other = await context.newPage()
  }

  const openOwn = async (page: Page, path: string) => {
    await page.goto(path)
    await page.fill('input[name=company]', own.company.name)
    await submitPassword(page, kari)
  }

  const switchTo = async (page: Page, { company }: MaterialClient) => {
    await page.click('.top .company')
    await page.getByRole('menuitem', { name: company.name, exact: true }).click()
    await page.waitForSelector(`.top .company:has-text("${company.name}")`)
  }

  const selectAll = async (page: Page) => {
    await page.click('text=Merk alle 2 som passer filteret')
    await page.waitForSelector('.action-count:has-text("2 merket")')
  }

  const signOut = async (page: Page) => {
    await page.click('.account')
    await page.click('text=Logg ut')
    await page.waitForSelector('input[name=email]')
  }

  /** Signs in without a page. */
  const replaceSession = async ({ email, password }: Person, company = '') => {
    const [data, headers] = [{ email, password, company }, { 'Sec-Fetch-Site': 'same-origin' }]
    expect((await context.request.post('/app/okt', { data, headers })).ok()).toBe(true)
  }

  const states = async ({ transactions }: MaterialClient) =>
    (await transactions()).map(({ Status }: { Status: string }) => Status)

  test('another company does not get decisions on the lines that an open tab shows', async () => {
    await openOwn(tab, '/app/godkjenning')
    await selectAll(tab)
    await other.goto('/app/i-dag')
    await switchTo(other, second)

    const dialog = tab.getByRole('dialog', { name: 'Byttet i en annen fane' })
    await dialog.getByText(`Du byttet firma til ${second.company.name}`).waitFor()
    await dialog.getByRole('button', { name: `Tilbake til ${own.company.name}` }).click()
    await dialog.waitFor({ state: 'detached' })
    await tab.click('text=Godkjenn 2')
    await tab.waitForSelector('.outcome:has-text("2 godkjent")')
    expect(await states(own)).toEqual(['Godkjent', 'Godkjent'])
    expect(await states(second)).toEqual(['Registrert', 'Registrert'])

    await other.getByRole('button', { name: `Fortsett i ${own.company.name}` }).click()
    await other.waitForSelector(`.shell .company:has-text("${own.company.name}")`)
    expect(new URL(other.url()).pathname).toBe('/app/i-dag')
  })

  test('a tab that missed the change sends its decision only after the user has chosen a company', async () => {
    await openOwn(tab, '/app/godkjenning')
    await selectAll(tab)
    // Another browser window may be frozen: the session changes without a message to the tab.
    const cookies = await context.cookies()
    const away = await browserFixture.newPage(undefined, { storageState: { cookies, origins: [] } })
    await away.goto('/app/i-dag')
    await switchTo(away, second)
    await context.addCookies(await away.context().cookies())
    await tab.click('text=Godkjenn 2')
    await tab.click(`text=Tilbake til ${own.company.name}`)
    await tab.waitForSelector('.outcome:has-text("2 godkjent")')
    expect(await states(own)).toEqual(['Godkjent', 'Godkjent'])
    expect(await states(second)).toEqual(['Registrert', 'Registrert'])
  })

  test('changing company keeps no filter, open line or selection', async () => {
    await openOwn(tab, '/app/godkjenning?linje=1&sok=A1')
    await tab.waitForSelector('.history li')
    await selectAll(tab)
    await switchTo(tab, second)
    await tab.waitForSelector('.summary:has-text("2 linjer")')
    expect(new URL(tab.url()).search).toBe('')
    expect(await tab.locator('.action-count, .history').count()).toBe(0)
  })

  test('says why the company cannot be changed', async () => {
    await openOwn(tab, '/app/i-dag')
    await tab.click('.top .company')
    await context.setOffline(true)
    await tab.getByRole('menuitem', { name: second.company.name, exact: true }).click()
    await tab.waitForSelector('[role=menu] [role=alert]')
    await context.setOffline(false)
  })

  test('confirming the password in one tab does not end the actions of another, nor its sign-out', async () => {
    await openOwn(tab, '/app/godkjenning')
    await selectAll(tab)
    // Opens a new session for the same user and company, as confirming the password does.
    await replaceSession(kari, own.company.name)
    await tab.click('text=Godkjenn 2')
    await tab.waitForSelector('.outcome:has-text("2 godkjent")')
    await replaceSession(kari, own.company.name)
    await signOut(tab)
  })

  test('signing out in one tab covers the others, until the user has signed in again in any of them', async () => {
    await openOwn(tab, '/app/godkjenning')
    await selectAll(tab)
    await other.goto('/app/i-dag')
    await signOut(other)
    await tab.waitForSelector('[role=dialog]:has-text("Du er logget ut")')
    await openOwn(other, '/app/i-dag')
    await tab.waitForSelector('[role=dialog]', { state: 'detached' })
    await tab.click('text=Godkjenn 2')
    await tab.waitForSelector('.outcome:has-text("2 godkjent")')
  })

  test('a tab that was signed out names who has signed in since, and goes on when its own user is back', async () => {
    await openOwn(tab, '/app/godkjenning')
    await selectAll(tab)
    await other.goto('/app/i-dag')
    await signOut(other)
    await tab.waitForSelector('[role=dialog]:has-text("Du er logget ut")')
    const ola = await server.addUser([{ company: second.company, role: 'viewer' }])
    await other.fill('input[name=company]', second.company.name)
    await submitPassword(other, ola)
    await tab.waitForSelector(`[role=dialog]:has-text("${ola.email} logget inn i en annen fane")`)
    await signOut(other)
    await openOwn(other, '/app/i-dag')
    await tab.waitForSelector('[role=dialog]', { state: 'detached' })
    await tab.click('text=Godkjenn 2')
    await tab.waitForSelector('.outcome:has-text("2 godkjent")')
  })

  test('another user who signs in sees nothing of the first', async () => {
    await openOwn(tab, '/app/godkjenning')
    const ola = await server.addUser([{ company: second.company, role: 'viewer' }])
    await other.goto('/app/i-dag')
    await replaceSession(ola)
    await other.reload()
    await other.waitForSelector('.shell h1')
    const dialog = tab.getByRole('dialog')
    await dialog.getByText(`${ola.email} logget inn i en annen fane`).waitFor()
    expect(await dialog.getByRole('button').allTextContents()).toEqual([`Fortsett som ${ola.email}`])
    await dialog.getByRole('button').click()
    await tab.waitForSelector(`.account[aria-label*="${ola.email}"]`)
  })

  test.each(oppositeAppearances)('the choice is accessible: $theme, $language, $width wide', async (appearance) => {
    await open(appearance)
    await openOwn(tab, '/app/i-dag')
    await other.goto('/app/i-dag')
    await switchTo(other, second)
    await tab.waitForSelector('[role=dialog] button:focus')
    await expect.poll(() => findAccessibilityProblems(tab)).toEqual([])
    await expect.poll(() => getOverflow(tab)).toBe(0)
  })
})
