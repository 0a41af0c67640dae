// First-run set-up in Chromium: by keyboard, with errors at their fields, and secrets shown once.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTerminal, type RunningCommand, type Terminal } from '../cli/terminal.ts'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { appearances, openBrowser, openContext } from './browser.ts'
import { findSmallTargets, getOverflow } from './layout-checks.ts'

describe.runIf(isAvailable('chromium'))('the set-up screen', () => {
  let terminal: Terminal
  let server: RunningCommand
  let browser: Browser
  let link: URL
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  const start = async () => {
    terminal = openTerminal({ DAGSVERK_LOG_LEVEL: 'silent' })
    server = terminal.start(['serve', '--port', '0'])
    link = new URL((await server.stderr(/http\S+\/setup#[\w-]{43}/))[0])
  }
  const stop = async () => {
    for (const context of browser.contexts()) await context.close()
    server.stop()
    await server.ended
    terminal.close()
  }

  describe('of a new server', () => {
    beforeEach(start)
    afterEach(stop)

    test('sets the server up by keyboard and shows the secrets once', async () => {
      const page = await (await openContext(browser, link.origin)).newPage()
      const problems: string[] = []
      page.on('console', (logged) => logged.type() === 'error' && problems.push(logged.text()))
      page.on('pageerror', (error) => problems.push(error.message))
      const requested: string[] = []
      page.on('request', (sent) => requested.push(sent.url()))
      await page.goto(link.href)
      await page.waitForSelector('h1:text("Sett opp Dagsverk")')
      expect(problems).toEqual([])
      await expect.poll(() => page.getByLabel('Oppsettskode').count()).toBe(0)
      await page.getByLabel('Firmaets navn').fill('Fjord: AS')
      await page.getByLabel('E-post').fill('kari@fjord.example')
      await page.getByLabel('Passord', { exact: true }).fill('kort')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=alert]:has-text("Ingenting er lagret ennå")')
      const company = page.getByLabel('Firmaets navn')
      await expect.poll(() => company.evaluate((field) => field === document.activeElement)).toBe(true)
      const errors = page.locator('.mantine-InputWrapper-error')
      await expect
        .poll(() => errors.allTextContents())
        .toEqual([
          expect.stringMatching(/^Firmaets navn har en ugyldig verdi/),
          expect.stringMatching(/^Passord har en ugyldig verdi: .*minst 15/),
        ])
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      await company.fill('Fjord AS')
      // The scopes of a common integration are chosen at once.
      const marked = () =>
        page
          .locator('input[type=checkbox]:checked')
          .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))
      await page.getByRole('button', { name: 'Regnskap henter' }).click()
      await expect.poll(marked).toEqual(['material:read', 'material:export'])
      await page.getByRole('button', { name: 'Kasse', exact: true }).click()
      await expect.poll(marked).toEqual(['revenue:read', 'revenue:write'])
      await page.getByLabel('Passord', { exact: true }).fill('riktig hest batteri stift')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:text("Dagsverk er satt opp")')
      const [companyPassword, key, command = ''] = await page.locator('.secret').allTextContents()
      expect(companyPassword).toMatch(/^[\dA-Za-z]{32}$/)
      expect(key).toMatch(/^dv_live_/)
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      const token = link.hash.slice(1)
      expect(requested.filter((url) => new URL(url).href.split('#')[0]?.includes(token))).toEqual([])
      expect(requested.filter((url) => new URL(url).origin !== link.origin)).toEqual([])
      await page.reload()
      await page.waitForSelector('h1:text("Serveren er allerede satt opp")')
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      // The set-up has signed its user in.
      problems.length = 0
      await page.goto('/')
      await page.waitForSelector('h2:text("Kom i gang: 0 av 4")')
      expect(problems).toEqual([])
      // The command that the set-up shows, pasted as it is, sends the first figures.
      await promisify(execFile)('sh', ['-c', command])
      await page.waitForSelector('h2:text("Kom i gang: 1 av 4")')
    })

    test('a first key without a name gets one, and lists and years without data are not empty frames', async () => {
      const page = await (await openContext(browser, link.origin)).newPage()
      await page.goto(link.href)
      await page.getByLabel('Firmaets navn').fill('Fjord AS')
      await page.getByLabel('E-post').fill('kari@fjord.example')
      await page.getByLabel('Passord', { exact: true }).fill('riktig hest batteri stift')
      await page.keyboard.press('Enter')
      await page.waitForSelector('h1:text("Dagsverk er satt opp")')
      await page.goto('/app/administrasjon')
      await page.waitForSelector('tr:has-text("Første integrasjon")')
      await page.goto('/app/eksport?vis=historikk')
      await page.waitForSelector('.state:has-text("Ingen har hentet noe ennå") svg')
      // Nothing follows: no chart, no calendar, and no sum of nothing.
      for (const view of ['', '?vis=kalender']) {
        await page.goto(`/app/omsetning${view}`)
        await page.waitForSelector('.state:last-child:has-text("Ingen omsetning ennå") svg')
      }
      await page.goto('/app/omsetning?vis=mottatt')
      await page.waitForSelector('.feed .state:has-text("Ingenting er mottatt ennå") svg')
      await expect.poll(() => page.locator('.state').count()).toBe(1)
      // Each list says what its lines are.
      for (const [list, text] of [
        ['venter', 'Nye linjer kommer når noen registrerer uttak'],
        ['godkjent', 'Godkjente linjer står her til mottakeren'],
        ['avvist', 'Avviste linjer står her til de er rettet'],
        ['eksportert', 'Linjer kommer hit når mottakeren'],
      ] as const) {
        await page.goto(`/app/godkjenning?liste=${list}`)
        await page.waitForSelector(`.state:has-text("${text}")`)
      }
      // Without a department there is no cell to write in.
      await page.goto('/app/omsetning?vis=dager')
      await page.waitForSelector('.state:last-child:has-text("Du kan skrive dem selv når registeret har en avdeling")')
      await page.getByRole('link', { name: 'Legg til en avdeling' }).click()
      await page.getByLabel('Avdelingsnummer').fill('10')
      await page.getByLabel('Navn', { exact: true }).fill('Butikken')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=dialog] .fields dd:has-text("Butikken")')
      await page.goto('/app/omsetning?vis=dager')
      await page.waitForSelector('tr:has-text("Butikken") td button')
    })

    test('the page before the set-up has the typeface of the app, and loads nothing else', async () => {
      const page = await (await openContext(browser, link.origin)).newPage()
      const requested: string[] = []
      page.on('request', (sent) => requested.push(new URL(sent.url()).pathname))
      await page.goto('/')
      await page.waitForSelector('h1:text("Serveren er ikke satt opp")')
      await expect
        .poll(() => page.evaluate(() => [...document.fonts].map(({ family, status }) => [family, status])))
        .toEqual([['Figtree', 'loaded']])
      expect(requested).toEqual(['/', '/app/assets/figtree-latin-wght-normal.woff2'])
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    })

    test('asks for the code if the link has none, and says that a wrong one is invalid', async () => {
      const page = await (
        await openContext(browser, link.origin, { theme: 'dark', language: 'en', width: 375 })
      ).newPage()
      await page.goto('/setup')
      await page.getByLabel('Set-up code').fill('wrong')
      await page.keyboard.press('Enter')
      await page.waitForSelector('[role=alert]:has-text("The set-up link is no longer valid")')
      await page.getByLabel('Set-up code').fill(link.hash.slice(1))
      await page.getByLabel('Name of the company').fill('Fjord AS')
      await page.getByLabel('E-mail').fill('kari@fjord.example')
      await page.getByLabel('Password', { exact: true }).fill('riktig hest batteri stift')
      await page.getByLabel('Password of the company').fill('blå elv under isen')
      for (const scope of ['read revenue', 'write revenue']) await page.getByLabel(scope).uncheck()
      await page.getByRole('button', { name: 'Set up' }).press('Enter')
      await page.waitForSelector('dd:has-text("the one you chose")')
      await expect.poll(() => page.locator('.secret').count()).toBe(0)
      expect(await page.evaluate(findSmallTargets)).toEqual([])
      await page.getByRole('link', { name: 'Open Dagsverk' }).press('Enter')
      await page.waitForSelector('h2:text("Get started: 0 of 4")')
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      // The revenue fails, after the departments and projects: the button imports it again.
      await page.route(
        ({ href }) => href.includes('/import/Omsetning/rader'),
        (route) =>
          route.fulfill({ status: 503, json: { error: { code: 'Overloaded', message: 'The server is busy.' } } }),
        { times: 1 },
      )
      const fill = page.getByRole('button', { name: 'Fill with example data' })
      await fill.press('Enter')
      await page.waitForSelector('h2:text("Get started: 1 of 4")')
      await page.waitForSelector('section:has(#first-steps) [role=alert]:has-text("The server is busy.")')
      await fill.press('Enter')
      await page.waitForSelector('h2:text("Get started: 2 of 4")')
      for (const step of ['Import departments', 'Create a key'])
        await page.waitForSelector(`section:has(#first-steps) li:has-text("${step}"):has-text("done")`)
      // The import history undoes all of it.
      await page.goto('/app/import')
      await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(3)
      await page.goto('/app/i-dag')
      await page.getByRole('button', { name: 'Do not show this again' }).press('Enter')
      await expect.poll(() => page.locator('#first-steps').count()).toBe(0)
    })
  })

  describe('of a server that nobody sets up', () => {
    beforeAll(start)
    afterAll(stop)

    test.each(appearances)('is accessible: $theme, $language, $width wide', async (appearance) => {
      const page = await (await openContext(browser, link.origin, appearance)).newPage()
      for (const path of ['/setup', link.href, '/']) {
        await page.goto(path)
        await page.waitForSelector('h1')
        await expect.poll(() => page.locator('h1').count()).toBe(1)
        await expect.poll(() => findAccessibilityProblems(page), { message: path }).toEqual([])
        await expect.poll(() => getOverflow(page)).toBe(0)
      }
    })
  })
})
