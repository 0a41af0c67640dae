// Offline mode on a phone: lines and decisions are queued, and sent once when online again.
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { administrator, signIn, waitForChoices } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

const phone = { theme: 'light', language: 'nb', width: 375 } as const
const registrant = { email: 'ansatt@test.example', password: 'test' }

describe.runIf(isAvailable('chromium'))('offline', () => {
  const browserFixture = useBrowser()
  const { transactions } = browserFixture
  let context: BrowserContext
  let page: Page
  beforeEach(async () => {
    page = await browserFixture.newPage(phone, { serviceWorkers: 'allow' })
    context = page.context()
  })

  const registerLine = async (item: string) => {
    await page.getByLabel('Vare', { exact: true }).fill(item)
    await page.getByLabel('Antall').fill('2')
    await page.getByRole('button', { name: 'Registrer' }).click()
  }

  test('registered lines are queued, survive a reload, and are sent once each', async () => {
    await signIn(page, '/app/uttak', registrant)
    await page.waitForSelector('.MaterialEntry-form')
    await page.evaluate(() => navigator.serviceWorker.ready)
    // The response to the first request is lost: the server has the line, the page does not know.
    await page.route('**/app/data/uttak/mine', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await context.setOffline(true)
      // The browser may have aborted the request already.
      await route.abort('internetdisconnected').catch(() => undefined)
    })
    await registerLine('Tapt svar')
    await page.waitForSelector('.alert:has-text("Lagret på denne maskinen")')
    await page.unroute('**/app/data/uttak/mine')
    await registerLine('Uten nett')
    await page.waitForSelector('.banner:has-text("2 endringer sendes når du får nett")')
    await page.reload()
    await page.waitForSelector('.banner:has-text("2 endringer sendes når du får nett")')
    await registerLine('Etter ny start')
    await page.waitForSelector('.banner:has-text("3 endringer sendes når du får nett")')
    await context.setOffline(false)
    await page.waitForSelector('.card-list li:has-text("Etter ny start")')
    await page.waitForSelector('.MaterialEntry-form .alert:has-text("Sendt.")')
    await page.waitForSelector('.banner:has-text("når du får nett")', { state: 'detached' })
    for (const item of ['Tapt svar', 'Uten nett', 'Etter ny start'])
      await expect.poll(() => transactions(`Varenavn eq '${item}'`)).toHaveLength(1)
    // A registrant's bottom bar has two entries: new material, and own material.
    const bar = page.locator('.rail-link:visible')
    await expect.poll(() => bar.allInnerTexts()).toEqual(['Nytt uttak', 'Mine uttak'])
    await bar.last().click()
    await page.waitForURL(/#mine$/)
    await page.waitForSelector('.rail-link.bar-only.active')
  })

  test('a queued line that the server rejects is shown with its error, and can be discarded', async () => {
    await signIn(page, '/app/uttak', registrant)
    await page.waitForSelector('.MaterialEntry-form')
    const project = page.getByRole('combobox', { name: 'Prosjekt' })
    await waitForChoices(project)
    await context.setOffline(true)
    // Also known offline: an unknown code is rejected before it is queued.
    await project.fill('FINNES-IKKE')
    await registerLine('Gips')
    await page.waitForSelector('.MaterialEntry-form:has-text("«FINNES-IKKE» finnes ikke i registeret")')
    await project.fill('')
    await page.getByLabel('Enhet').fill('x'.repeat(20))
    // As an app of an earlier version may, which did not know the limit.
    await page.getByLabel('Vare', { exact: true }).evaluate((field) => field.removeAttribute('maxlength'))
    await registerLine('V'.repeat(3000))
    await page.waitForSelector('.banner:has-text("når du får nett")')
    await context.setOffline(false)
    await page.waitForSelector('.alert.error')
    await page.getByRole('button', { name: 'Forkast' }).click()
    await page.waitForSelector('.alert.error', { state: 'detached' })
  })

  test('a phone shows groups first, opens one with all lines selected, and approves the rest', async () => {
    await signIn(page, '/app/godkjenning')
    const card = page.locator('.GroupSummaries-card:has-text("linjer")').last()
    const name = (await card.locator('strong').first().textContent()) ?? ''
    const lines = Number.parseInt(/(\d+) linjer/.exec((await card.textContent()) ?? '')?.[1] ?? '', 10)
    expect([name !== '', lines > 1]).toEqual([true, true])
    await card.click()
    await page.waitForSelector(`.action-count:has-text("${lines} merket")`)
    await page.locator('.Queue-tick input').first().click()
    await page.getByRole('button', { name: new RegExp(`^Godkjenn ${lines - 1} `) }).click()
    await page.waitForSelector(`.outcome:has-text("${lines - 1} godkjent")`)
  })

  test('approvals are queued, and sent once', async () => {
    await signIn(page, '/app/godkjenning?gruppe=ingen')
    await page.waitForSelector('.Queue-row .card')
    const before = (await transactions("Status eq 'Registrert'")).length
    await page.locator('.Queue-tick input').first().click()
    await context.setOffline(true)
    await page.getByRole('button', { name: /^Godkjenn 1/ }).click()
    await page.waitForSelector('.outcome:has-text("Lagret på denne maskinen")')
    await page.waitForSelector('.Queue-line:has-text("venter på nett")')
    expect((await transactions("Status eq 'Registrert'")).length).toBe(before)
    await context.setOffline(false)
    await page.waitForSelector('.banner:has-text("når du får nett")', { state: 'detached' })
    await expect.poll(() => transactions("Status eq 'Registrert'")).toHaveLength(before - 1)
  })

  test('queued decisions say once they are sent, and which lines were not decided', async () => {
    const rows = ['endret', 'avvist', 'uendret'].map((Varenavn) => ({
      Dato: '2026-11-13',
      Antall: 1,
      Salgspris: 10,
      ProsjektId: 'P003',
      Kilde: 'køen',
      Varenavn,
    }))
    const { resultater } = await browserFixture.call('/prosjekt/Transaksjon/Batch', rows)
    const [changed, rejected, unchanged] = resultater.map(({ id }: { id: number }) => id)
    await signIn(page, '/app/godkjenning?gruppe=ingen&kilde=k%C3%B8en&merket=true')
    await page.waitForSelector('.action-count:has-text("3 merket")')
    await context.setOffline(true)
    await page.getByRole('button', { name: /^Godkjenn 3/ }).click()
    await page.waitForSelector('.outcome:has-text("Lagret på denne maskinen")')
    await browserFixture.call(`/prosjekt/Transaksjon(${changed})`, { Antall: 2 }, 'PATCH')
    await browserFixture.call(`/prosjekt/Transaksjon(${rejected})/Avvis`, { grunn: 'Feil prosjekt' })
    await context.setOffline(false)
    const alert = page.locator('.alert.error:has-text("Godkjenning av 3 linjer: 2 linjer ble ikke avgjort")')
    await expect.poll(() => alert.getByRole('link').allTextContents()).toEqual([String(changed), String(rejected)])
    await page.waitForSelector('.outcome:has-text("Sendt.")')
    expect(await findAccessibilityProblems(page)).toEqual([])
    const states = async () => (await transactions("Kilde eq 'køen'")).map(({ Id, Status }) => [Id, Status])
    expect(await states()).toEqual([
      [changed, 'Registrert'],
      [rejected, 'Avvist'],
      [unchanged, 'Godkjent'],
    ])
    // The line is no longer held back.
    await page.waitForSelector('.Queue-line:has-text("endret") input')
    await page.reload()
    await alert.getByRole('button', { name: 'Lukk' }).click()
    await expect.poll(() => alert.count()).toBe(0)
  })

  test('an action of the administration that does not reach the server says so', async () => {
    await signIn(page, '/app/administrasjon?vis=personer', administrator)
    const button = page.getByRole('button', { name: 'Fjern tilgang: ansatt@test.example' })
    await button.waitFor()
    await context.setOffline(true)
    await button.click()
    await page.waitForSelector('.problem:has-text("Får ikke kontakt med serveren")')
  })

  test('a screen whose code cannot be fetched says so in its place, and is shown once the server is reached', async () => {
    const withoutCache = await browserFixture.newPage(phone, { serviceWorkers: 'block' })
    await signIn(withoutCache, '/app/godkjenning', administrator)
    await withoutCache.waitForSelector('.GroupSummaries-card')
    await withoutCache.route('**/app/assets/**', (route) => route.abort('connectionfailed'))
    await withoutCache.route('**/livez', (route) => route.abort('connectionfailed'))
    await withoutCache.locator('.rail-link:visible', { hasText: 'Eksport' }).click()
    await withoutCache.waitForSelector('.shell main .state:has-text("Får ikke kontakt med serveren")')
    await withoutCache.waitForSelector('.banner.offline')
    await withoutCache.unroute('**/app/assets/**')
    await withoutCache.unroute('**/livez')
    await withoutCache.getByRole('button', { name: 'Prøv igjen' }).click()
    await withoutCache.waitForSelector('h1:text("Eksport")')
    await withoutCache.waitForSelector('.banner.offline', { state: 'detached' })
  })

  test('signing out deletes all cached data from the browser', async () => {
    await signIn(page, '/app/uttak', registrant)
    await page.waitForSelector('.MaterialEntry-form')
    const kept = () =>
      page.evaluate(async () => {
        const names = await caches.keys()
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return {
          paths: requests.flat().map(({ url }) => new URL(url).pathname),
          texts: Object.keys(localStorage).filter((name) => name.includes('kept')),
        }
      })
    await page.evaluate(() => navigator.serviceWorker.ready)
    await expect.poll(async () => (await kept()).texts).toContain('dagsverk-kept-session')
    const { paths } = await kept()
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !/^\/app\/(i-dag$|assets\/)/.test(path))).toEqual([])
    await page.click('.account')
    await page.click('[role=menuitem]:has-text("Logg ut")')
    await page.waitForSelector('input[name=password]')
    await expect.poll(async () => (await kept()).texts).toEqual([])
  })
})
