// Links of e-mails by keyboard: invitation, password reset; and the operator's screens.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openTerminal } from '../cli/terminal.ts'
import { linkIn, startMailServer, type MailServer } from '../support/mail-server.ts'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { appearances, typeWhenFocused } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

const kari = { email: 'kari@eksempel.no', password: 'fire ulike ord her' }
const nils = { email: 'nils@eksempel.no', password: 'korger under bordet' }

const missing = ['Skriv navnet ditt.', 'Skriv et passord.']
const tooShort = 'Nytt passord har en ugyldig verdi: 4 tegn; minst 15 kreves.'

/** Of the field that has the focus; there must be no other. */
async function problemOfPassword(page: Page): Promise<string | null> {
  const field = page.locator('.mantine-InputWrapper-root:has(input[name=new-password]:focus)')
  if ((await field.count()) === 0 || (await page.locator('[role=alert]').count()) > 0) return null
  return field.locator('.mantine-InputWrapper-error').textContent()
}

describe.runIf(isAvailable('chromium'))('links of e-mails, and operator screens', () => {
  let mailServer: MailServer
  const { open, newPage } = useBrowser(async () => {
    mailServer = await startMailServer()
    const terminal = openTerminal({
      DAGSVERK_SMTP_URL: mailServer.url,
      DAGSVERK_MAIL_FROM: 'Dagsverk <dagsverk@eksempel.no>',
      DAGSVERK_LOG_LEVEL: 'silent',
    })
    await terminal.run('migrate')
    await terminal.run('company', 'add', 'Fjord AS')
    const place = ['--company', 'Fjord AS', '--role', 'admin', '--operator', '--password-stdin']
    await terminal.pipe(kari.password, 'user', 'add', kari.email, ...place)
    const serving = terminal.start(['serve', '--port', '0'])
    const { groups } = await serving.stderr(/serves on (?<address>http:\S+)/)
    return {
      address: groups?.address ?? '',
      stop: async () => {
        serving.stop()
        await serving.ended
        terminal.close()
        await mailServer.stop()
      },
    }
  })

  const waitForMail = async (index: number) => {
    await expect.poll(() => mailServer.received.length).toBeGreaterThan(index)
    const found = mailServer.received[index]
    if (found === undefined) throw new Error('no e-mail')
    return found
  }

  test('an invited person joins the company with a name and password', async () => {
    const page = await open('/app/administrasjon?vis=personer', undefined, kari)
    await page.getByRole('button', { name: 'Inviter' }).press('Enter')
    await page.getByLabel('E-post').fill(nils.email)
    await page.getByRole('button', { name: 'Send invitasjonen' }).press('Enter')
    await page.waitForSelector(`.alert:has-text("på vei til ${nils.email}")`)
    await page.waitForSelector(`.page-section:has-text("Gjelder til") tr:has-text("${nils.email}")`)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    const { subject, ...invitation } = await waitForMail(0)
    expect(subject).toBe('Du er invitert til Fjord AS')

    const other = await newPage()
    await other.goto(linkIn({ subject, ...invitation }))
    await other.waitForSelector('h1:text("Invitasjon")')
    await other.getByRole('button', { name: 'Bli med i Fjord AS' }).press('Enter')
    await expect.poll(() => other.locator('.mantine-InputWrapper-error').allTextContents()).toEqual(missing)
    await expect.poll(() => other.locator('input[name=name]:focus').count()).toBe(1)
    await other.keyboard.type('Nils Berg')
    await other.locator('input[name=new-password]').fill('kort')
    await other.getByRole('button', { name: 'Bli med i Fjord AS' }).press('Enter')
    await expect.poll(() => problemOfPassword(other)).toBe(tooShort)
    await expect.poll(() => findAccessibilityProblems(other)).toEqual([])
    await other.locator('input[name=new-password]').fill(nils.password)
    await other.keyboard.press('Enter')
    await other.waitForSelector('.shell h1:text("I dag")')
    await page.reload()
    await page.waitForSelector('.cards tr:has-text("Nils Berg"):has-text("Godkjenner")')
    await other.goto(linkIn({ subject, ...invitation }))
    await other.waitForSelector('[role=alert]:has-text("gjelder ikke lenger")')
    await other.waitForSelector('a[href="/app/i-dag"]:has-text("Til innloggingen")')
  })

  test('a reset link sets a new password, and the old one stops working', async () => {
    const page = await newPage()
    const errors: string[] = []
    page.on('console', (logged) => logged.type() === 'error' && errors.push(logged.text()))
    await page.goto('/')
    await page.getByRole('link', { name: 'Glemt passordet?' }).press('Enter')
    await page.waitForSelector('h1:text("Glemt passordet?")')
    expect(errors).toEqual([])
    await page.getByLabel('E-post').fill(nils.email)
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=status]:has-text("kommer det en e-post")')
    await page.goto(linkIn(await waitForMail(1)))
    await page.locator('input[name=new-password]').fill('kort')
    await page.getByRole('button', { name: 'Bytt passord' }).press('Enter')
    await expect.poll(() => problemOfPassword(page)).toBe(tooShort)
    await page.locator('input[name=new-password]').fill('grønne epler i kurven')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=status]:has-text("Passordet er byttet")')
    await page.getByRole('link', { name: 'Til innloggingen' }).press('Enter')
    await page.fill('input[name=email]', nils.email)
    await page.fill('input[name=password]', nils.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]:has-text("feil")')
    await page.fill('input[name=password]', 'grønne epler i kurven')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.shell h1')
  })

  test('the operator sees mail statistics and health, and creates a backup', async () => {
    const page = await open('/app/administrasjon?vis=drift', undefined, kari)
    await page.waitForSelector('dd:has-text("alt er som det skal")')
    await page.waitForSelector('dd:has-text("0 venter, 0 er gitt opp, sist sendt")')
    await page.getByRole('button', { name: 'Lag sikkerhetskopi nå' }).press('Enter')
    await page.waitForSelector('.alert:has-text(".backup er skrevet og lest tilbake")')
    const [bundle] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Last ned en støttepakke' }).press('Enter'),
    ])
    expect(bundle.suggestedFilename()).toBe('dagsverk-support-2026-01-01.json')
  })

  test('the operator adds a company with its first administrator, closes and reopens it', async () => {
    const page = await open('/app/i-dag', undefined, kari)
    // An empty server shows the first steps.
    await page.getByRole('link', { name: 'Legg til flere firmaer' }).press('Enter')
    await page.getByRole('button', { name: 'Nytt firma' }).press('Enter')
    await typeWhenFocused(page, 'Fjord AS')
    await page.getByLabel('E-post til den første').fill('siv@eksempel.no')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.mantine-InputWrapper-error:has-text("Fjord AS")')
    await page.getByLabel('Navn', { exact: true }).fill('Vik AS')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.copyable .secret')
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Jeg har tatt vare på det' }).press('Enter')
    await page.waitForSelector('.alert:has-text("på vei til siv@eksempel.no")')
    const { subject } = await waitForMail(3)
    expect(subject).toBe('Du er invitert til Vik AS')
    await page.getByRole('button', { name: 'Steng: Vik AS' }).press('Enter')
    await typeWhenFocused(page, 'Vik')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.mantine-InputWrapper-error:has-text("ikke navnet")')
    await page.keyboard.type(' as')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.cards tr:has-text("Vik AS"):has-text("stengt")')
    await page.getByRole('button', { name: 'Åpne igjen: Vik AS' }).press('Enter')
    await page.waitForSelector('.alert:has-text("Vik AS er åpnet igjen.")')
    await expect.poll(() => page.getByRole('button', { name: 'Steng: Fjord AS' }).count()).toBe(0)
  })

  test('a link that is opened in a tab with another one is the one that is used', async () => {
    const page = await newPage()
    const requestWith = (token: string) =>
      page.waitForRequest((request) => request.postDataJSON()?.token === token && request.method() === 'POST')
    const first = requestWith('first')
    await page.goto('/app/invitasjon#first')
    await first
    await page.waitForSelector('[role=alert]')
    const second = requestWith('second')
    // Only the fragment changes.
    await page.goto('/app/invitasjon#second')
    await second

    await page.goto('/app/ny-adgang#first')
    await page.locator('input[name=new-password]').fill('noe som er skrevet')
    await page.goto('/app/ny-adgang#second')
    await expect.poll(() => page.locator('input[name=new-password]').inputValue()).toBe('')
    await page.locator('input[name=new-password]').fill('grønne epler i kurven')
    const third = requestWith('second')
    await page.keyboard.press('Enter')
    await third
  })

  test.each(appearances)('operator screens are accessible: $theme, $language, $width wide', async (appearance) => {
    const page = await open('/app/administrasjon?vis=drift', appearance, kari)
    for (const [part, ready] of [
      ['drift', '#limits'],
      ['firmaer', '.cards td'],
    ] as const) {
      await page.goto(`/app/administrasjon?vis=${part}`)
      await page.waitForSelector(ready)
      await expect.poll(() => findAccessibilityProblems(page), { message: part }).toEqual([])
      await expect.poll(() => getOverflow(page)).toBe(0)
    }
  })

  test.each(appearances)('public screens are accessible: $theme, $language, $width wide', async (appearance) => {
    const page = await newPage(appearance)
    for (const path of ['/app/glemt', '/app/ny-adgang#x', '/app/invitasjon#x']) {
      await page.goto(path)
      await page.waitForSelector('main form, main [role=alert]')
      await expect.poll(() => page.locator('h1').count()).toBe(1)
      await expect.poll(() => findAccessibilityProblems(page), { message: path }).toEqual([])
      await expect.poll(() => getOverflow(page)).toBe(0)
    }
  })
})
