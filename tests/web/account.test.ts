// Account screen in a real browser: second factor, trusted device, password, sessions, OpenID Connect.
import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import { startProvider, type IdentityProvider } from '../app/identity-provider.ts'
import { parseSeed } from '../app/seed.ts'
import { sqlite } from '../support/databases.ts'
import { whileRowsFail } from '../support/failing-rows.ts'
import { freePort } from '../support/ports.ts'
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, type Appearance } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

const password = 'fire ulike ord her'
const step = 30_000_000

describe.runIf(isAvailable('chromium'))('account screen', () => {
  let server: TestServer
  let provider: IdentityProvider
  let context: BrowserContext
  let page: Page
  let kari: TestUser
  let now = 0
  const consoleErrors: string[] = []
  const browserFixture = useBrowser(async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    provider = await startProvider(`${address}/app/sso/svar`)
    server = await startTestServer(sqlite, 'web-account', {
      settings: { ...provider.settings, oidcRoles: 'sjefer=MITT:admin' },
    })
    server.clock.now = () => now
    await server.http.listen(port, '127.0.0.1')
    return {
      address,
      stop: async () => {
        await server.close()
        await provider.close()
      },
    }
  })
  beforeEach(async () => {
    consoleErrors.length = 0
    now = Date.now() * 1000
    kari = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    await open()
  })

  const open = async (appearance?: Appearance) => {
    page = await browserFixture.newPage(appearance)
    context = page.context()
    page.on('console', (message) => {
      // Ignores the provider's own pages, and error responses that the screen shows.
      const isOurs = message.location().url.startsWith(browserFixture.address)
      if (isOurs && message.type() === 'error' && !/status of 40[13]/.test(message.text()))
        consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(error.message))
  }

  const signInAt = async (who = kari, path = '/app/konto') => {
    await page.goto(path)
    await page.fill('input[name=email]', who.email)
    await page.fill('input[name=password]', who.password)
    await page.click('button[type=submit]')
  }

  const expectCleanScreen = async () => {
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await expect.poll(() => getOverflow(page)).toBe(0)
    expect(consoleErrors).toEqual([])
  }

  /** Enters the second factor and returns its code generator and the recovery codes. */
  const setUp = async (): Promise<{ code: () => string; codes: string[] }> => {
    await page.waitForSelector('.FactorSetup-qrCode path')
    const seed = parseSeed((await page.textContent('.secret'))?.replaceAll(' ', '') ?? '')
    const code = () => codeAt(seed, now)
    await page.fill('input[name=code]', code())
    await page.keyboard.press('Enter')
    await page.waitForSelector('.FactorSetup-codes li')
    now += step
    return { code, codes: await page.locator('.FactorSetup-codes code').allTextContents() }
  }

  test('a user sets up a second factor, signs in with it, and trusts the browser', async () => {
    await signInAt()
    await page.click('text=Sett opp')
    const { code, codes } = await setUp()
    expect(codes).toHaveLength(10)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Gjenopprettingskodene dine')
    await page.click('text=Jeg har tatt vare på dem')
    await page.waitForSelector('text=10 gjenopprettingskoder igjen')
    await page.click('.account')
    await page.click('text=Logg ut')
    await page.waitForSelector('input[name=email]')

    await signInAt()
    await page.waitForSelector('input[name=code]')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('code')
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    await page.fill('input[name=code]', code())
    await page.check('input[name=trust]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#devices')
    await page.click('.account')
    await page.click('text=Logg ut')
    await page.waitForSelector('input[name=email]')
    await signInAt()
    await page.waitForSelector('#devices')

    await page.click('section[aria-labelledby=devices] button')
    await page.waitForSelector('#devices', { state: 'detached' })
    await page.click('text=Slå av')
    await page.waitForSelector('text=Sett opp')
    expect(consoleErrors).toEqual([])
  })

  test('a recovery code replaces the authenticator app', async () => {
    await signInAt()
    await page.click('text=Sett opp')
    const { codes } = await setUp()
    await context.clearCookies()
    await signInAt()
    await page.click('text=Jeg har ikke appen')
    await page.fill('input[name=code]', codes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=9 gjenopprettingskoder igjen')
  })

  test('a sensitive action requires password and code again', async () => {
    await signInAt()
    await page.click('text=Sett opp')
    const { code } = await setUp()
    await page.click('text=Jeg har tatt vare på dem')
    await page.waitForSelector('text=10 gjenopprettingskoder igjen')
    now += 6 * 60_000_000
    await page.click('text=Slå av')
    await page.fill('input[name=password-again]', password)
    await page.keyboard.press('Enter')
    await page.fill('[role=dialog] input[name=code]', code())
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Sett opp')
  })

  test('a user changes the password, and sees the open sessions', async () => {
    await signInAt()
    await page.waitForSelector('#new-password')
    const next = 'nye ord som ingen kjenner'
    await page.fill('input[name=current-password]', 'feil')
    await page.fill('input[name=new-password]', next)
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Passordet er feil')
    await page.fill('input[name=current-password]', password)
    await page.fill('input[name=new-password]', 'kort')
    await page.keyboard.press('Enter')
    const problem = () => page.locator('[id$="-error"]').allTextContents()
    await expect.poll(problem).toEqual(['Nytt passord har en ugyldig verdi: 4 tegn; minst 15 kreves.'])
    await page.fill('input[name=new-password]', next)
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=Passordet er byttet')
    await expect
      .poll(() => page.locator('section[aria-labelledby=sessions] tbody tr').allTextContents())
      .toEqual([expect.stringContaining('Chrome, Linux')])
    await context.clearCookies()
    await signInAt({ ...kari, password: next })
    await page.waitForSelector('#sessions')
  })

  test('an unexpected error has the request id that its message asks the user to report', async () => {
    await signInAt()
    await page.fill('input[name=current-password]', password)
    await page.fill('input[name=new-password]', 'nye epler i kurven')
    const replied = page.waitForResponse((response) => response.status() === 500)
    await whileRowsFail(server, 'audit', 'insert', server.tenantA, async () => {
      await page.keyboard.press('Enter')
      await replied
    })
    const id = (await replied).headers()['x-request-id'] ?? ''
    await page.waitForSelector(`[role=alert]:has-text("Oppgi forespørselens id til driftsansvarlig. (${id})")`)
  })

  test('a user ends all other sessions', async () => {
    await signInAt()
    await page.waitForSelector('#sessions')
    await context.clearCookies()
    await signInAt()
    await page.waitForSelector('section[aria-labelledby=sessions] tbody tr:nth-child(2)')
    await page.click('text=Logg ut alle andre steder')
    await page.waitForSelector('section[aria-labelledby=sessions] tbody tr:nth-child(2)', { state: 'detached' })
  })

  test('a user creates a passkey, and signs in with it alone', async () => {
    // WebAuthn accepts no IP address as relying party.
    const byName = browserFixture.address.replace('127.0.0.1', 'localhost')
    const session = await context.newCDPSession(page)
    await session.send('WebAuthn.enable')
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await signInAt(kari, `${byName}/app/konto`)
    await page.click('text=Lag en passnøkkel')
    await page.waitForSelector('section[aria-labelledby=passkeys] td')
    await page.click('text=Lag en passnøkkel')
    await page.waitForSelector('[role=alert]:has-text("Enheten har allerede en passnøkkel for kontoen.")')
    await context.clearCookies()
    await page.goto(`${byName}/app/konto`)
    await page.click('text=Logg inn med passnøkkel')
    await page.waitForSelector('section[aria-labelledby=passkeys] tr:has-text("sist brukt")')
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await page.click('section[aria-labelledby=passkeys] td button')
    await page.waitForSelector('section[aria-labelledby=passkeys] td', { state: 'detached' })
    expect(consoleErrors).toEqual([])
  })

  describe('a company that requires a second factor', () => {
    test.each(oppositeAppearances)('users must set it up before anything else: %j', async (appearance) => {
      await open(appearance)
      const company = await server.addCompany(`STRENGT ${now} ${appearance.theme}`, {
        settings: { requiresFactorOfViewer: true },
      })
      const ola = await server.addUser([{ company, role: 'viewer' }])
      await signInAt(ola, '/app/omsetning')
      // The form before has a button too.
      await page.waitForSelector('input[name=email]', { state: 'detached' })
      await page.click('main button')
      await page.waitForSelector('.FactorSetup-qrCode path')
      await expectCleanScreen()
      await setUp()
      await expectCleanScreen()
      await page.click('.actions button:last-child')
      await page.waitForSelector('.shell h1')
      await context.clearCookies()
      await signInAt(ola)
      await page.waitForSelector('input[name=code]')
      await expectCleanScreen()
    })
  })

  describe('sign-in by OpenID Connect', () => {
    const signInAtProvider = async (subject: string) => {
      await page.waitForSelector('input[name=login]')
      await page.fill('input[name=login]', subject)
      await page.fill('input[name=password]', 'x')
      await page.click('button[type=submit]')
      await page.click('button[type=submit]')
    }

    test('returns to the requested screen, with the role mapped from the group', async () => {
      const subject = 'sjef'
      provider.claimsBySubject.set(subject, { groups: ['sjefer'], email: `${subject}@eksempel.no` })
      await page.goto('/app/administrasjon?vis=personer')
      await page.waitForSelector('.SsoButton-provider button')
      await expectCleanScreen()
      await page.click('.SsoButton-provider button')
      await signInAtProvider(subject)
      await page.waitForSelector('.cards td')
      expect(new URL(page.url()).search).toBe('?vis=personer')
      expect(consoleErrors).toEqual([])
    })

    test('a sensitive action requires signing in at the provider again', async () => {
      const subject = 'grav'
      provider.claimsBySubject.set(subject, { groups: ['sjefer'], email: `${subject}@eksempel.no` })
      await page.goto('/app/administrasjon?vis=personer')
      await page.click('.SsoButton-provider button')
      await signInAtProvider(subject)
      const person = `.cards tr:has-text("${kari.email}")`
      await page.locator(`${person} button`).last().click()
      await page.waitForSelector('[role=dialog] >> text=Du logger inn der på nytt')
      await expectCleanScreen()
      await page.click('[role=dialog] >> text=Logg inn med Prøveleverandør')
      await page.waitForSelector('input[name=login]')
      await page.fill('input[name=login]', subject)
      await page.fill('input[name=password]', 'x')
      await page.click('button[type=submit]')
      await page.locator(`${person} button`).last().click()
      await page.waitForSelector(`${person} .status-badge`)
    })

    test('an unknown identity sees an error that says what to do', async () => {
      await page.goto('/app/omsetning?vis=dager')
      await page.click('.SsoButton-provider button')
      await signInAtProvider('ukjent')
      await page.waitForSelector('.SsoButton-provider [role=alert]')
      await expect.poll(() => page.textContent('.SsoButton-provider [role=alert]')).toContain('Du har ingen konto her')
      await expectCleanScreen()
    })

    test('an account is linked with the provider, and signs in there', async () => {
      const subject = 'knyttet'
      provider.claimsBySubject.set(subject, { groups: [] })
      await signInAt()
      await page.click('text=Knytt til Prøveleverandør')
      await signInAtProvider(subject)
      await page.waitForSelector('text=Knyttet til Prøveleverandør siden')
      await context.clearCookies()
      await page.goto('/app/konto')
      await page.click('.SsoButton-provider button')
      await signInAtProvider(subject)
      await page.waitForSelector('#linked')
      await expect.poll(() => page.locator('#new-password').count()).toBe(0)
    })
  })
})
