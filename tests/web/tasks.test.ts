// User tasks by keyboard, in a real browser against the real server, on every database.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import { isAvailable } from '../support/requirements.ts'
import {
  administrator,
  manager,
  signIn,
  signInLive,
  typeInPalette,
  typeWhenFocused,
  waitForChoices,
  waitForDialog,
  waitForPaletteChoice,
} from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { testEnvironments } from './environments.ts'

describe.runIf(isAvailable('chromium')).each(testEnvironments)('tasks by keyboard, on $name', ({ start }) => {
  const browserFixture = useBrowser(start)
  const { call, newPage, open, revenue, transactions } = browserFixture
  let page: Page

  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')

  const revenueOn = (date: string, department: string) =>
    revenue(`Dato eq datetime('${date}') and AvdelingID eq '${department}'`)

  const register = (usage: object) => call('/prosjekt/Transaksjon/Batch', [usage])

  test('a manager signs in with Tab and Enter, and lands at the requested URL', async () => {
    page = await newPage()
    await page.goto('/app/register?liste=Prosjekt')
    await page.waitForSelector('form')
    await page.focus('input[name=email]')
    await page.keyboard.type('leder@test.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type('feil')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    await expect.poll(() => focused()).toBe('E-post eller passord er feil.')
    await page.fill('input[name=password]', 'test')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.list td')
    expect(new URL(page.url()).search).toBe('?liste=Prosjekt')
  })

  test('a manager skips to the content, navigates by shortcuts, and lists them', async () => {
    page = await open('/app/i-dag', undefined, manager)
    await page.keyboard.press('Tab')
    await expect.poll(() => focused()).toBe('Hopp til innholdet')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    await expect.poll(() => page.locator('.rail-link.active').count()).toBe(1)
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.waitForSelector('h1:text("Omsetning")')
    await page.keyboard.press('?')
    await page.waitForSelector('[role=dialog] kbd')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
  })

  test('the command palette finds a screen, a project and an action', async () => {
    page = await open('/app/i-dag', undefined, manager)
    await typeInPalette(page, 'omset')
    await waitForPaletteChoice(page, 'Omsetning')
    await page.keyboard.press('Enter')
    await page.waitForSelector('h1:text("Omsetning")')
    await typeInPalette(page, 'P003')
    await waitForPaletteChoice(page, 'P003')
    await page.keyboard.press('Enter')
    await page.waitForURL(/register\?liste=Prosjekt&id=P003/)
    await page.waitForSelector('[role=dialog] .fields')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await typeInPalette(page, 'avvik')
    await waitForPaletteChoice(page, 'avvik')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await waitForPaletteChoice(page, 'avvik')
    await page.keyboard.press('Enter')
    await page.waitForURL(/godkjenning\?avvik=true/)
    await typeInPalette(page, 'finnes ikke')
    await page.waitForSelector('[role=listbox]:has-text("Ingen treff")')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=combobox]', { state: 'detached' })
  })

  test('shortcuts do not apply in fields, and can be switched off', async () => {
    page = await open('/app/register', undefined, manager)
    await page.keyboard.press('/')
    await typeWhenFocused(page, 'go?')
    await expect.poll(() => page.inputValue('input[type=search]')).toBe('go?')
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      localStorage.setItem('dagsverk-shortcuts', 'off')
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    expect(new URL(page.url()).pathname).toBe('/app/register')
  })

  test('a manager moves in the grid by arrow keys, corrects a cell, and undoes it', async () => {
    page = await open('/app/omsetning?vis=dager&dag=2026-11-09', undefined, manager)
    const [before = 0] = await revenueOn('2026-11-09', '007')
    const first = page.locator('[data-cell="0:0"]')
    await first.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await typeWhenFocused(page, '12 500,50')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("1 celle lagret")')
    await expect.poll(() => revenueOn('2026-11-09', '007')).toEqual([12500.5])
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('1:0')
    await page.click('.alert button')
    await page.waitForSelector('.alert', { state: 'detached' })
    await expect.poll(() => revenueOn('2026-11-09', '007')).toEqual([before])
    // Both changes appear in the feed, newest first, and link to their cell.
    await page.goto('/app/omsetning?vis=mottatt&handling=endret')
    await page.waitForSelector('.feed td:has-text("12 500,50")')
    await page.locator('[aria-labelledby=senders] button:has-text("Ingrid Solberg")').press('Enter')
    await page.waitForURL(/kilde=user/)
    const rows = page.locator('.feed tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/12\s500,50/)
    await rows.first().locator('button').press('Enter')
    await page.waitForSelector('[role=dialog] .history li')
  })

  test('Escape cancels editing a cell', async () => {
    page = await open('/app/omsetning?vis=dager&dag=2026-11-09', undefined, manager)
    const before = await revenueOn('2026-11-10', '10')
    await page.locator('[data-cell="1:1"]').focus()
    await page.keyboard.press('Enter')
    await typeWhenFocused(page, '5')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[data-cell="1:1"]:focus')
    await expect.poll(() => revenueOn('2026-11-10', '10')).toEqual(before)
    // What is no amount is said, and stays in the cell until it is left.
    await page.keyboard.press('Enter')
    await typeWhenFocused(page, '12x50')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("Ikke lagret: «12x50» er ikke et beløp.")')
    await expect.poll(() => page.inputValue('.GridTable-editor input')).toBe('12x50')
    await page.fill('.GridTable-editor input', '')
    await page.locator('h1').click()
    await page.waitForSelector('.alert:has-text("En tom celle lagres ikke.")')
    expect(await revenueOn('2026-11-10', '10')).toEqual(before)
  })

  test('a manager pastes a block from a spreadsheet into the grid', async () => {
    page = await open('/app/omsetning?vis=dager&dag=2026-11-02', undefined, manager)
    await page.locator('[data-cell="0:0"]').click()
    await page.locator('.GridTable-editor input').evaluate((input) => {
      const data = new DataTransfer()
      data.setData('text', '1 001,25\t1002\t\n2001\tingenting\t\t\t\t\t\t3000\n')
      const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      input.dispatchEvent(paste)
    })
    await page.waitForSelector('.alert:has-text("3 celler lagret")')
    await page.waitForSelector('.alert:has-text("2 verdier ble ikke lagret")')
    await expect.poll(() => revenueOn('2026-11-02', '007')).toEqual([1001.25])
    await expect.poll(() => revenueOn('2026-11-03', '007')).toEqual([1002])
    await expect.poll(() => revenueOn('2026-11-02', '10')).toEqual([2001])
  })

  test('amounts that do not reach the server are kept, and sent again', async () => {
    page = await open('/app/omsetning?vis=dager&dag=2026-11-02', undefined, manager)
    const path = '/app/data/omsetning/celler'
    await page.route(`**${path}`, (route) => route.abort(), { times: 2 })
    const failed: string[] = []
    page.on('requestfailed', (request) => request.url().endsWith(path) && failed.push(path))
    await page.locator('[data-cell="2:0"]').press('Enter')
    await typeWhenFocused(page, '3001')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-cell="3:0"]:focus')
    await page.keyboard.press('Enter')
    await typeWhenFocused(page, '4001')
    await page.keyboard.press('Enter')
    await expect.poll(() => failed).toHaveLength(2)
    await page.getByRole('alert').filter({ hasText: 'Ikke lagret' }).getByText('Prøv igjen').click()
    await page.waitForSelector('.alert:has-text("2 celler lagret")')
    await expect.poll(() => revenueOn('2026-11-02', '20')).toEqual([3001])
    expect(await revenueOn('2026-11-02', '30')).toEqual([4001])
  })

  test('a concurrent change of a cell is reported, and not overwritten', async () => {
    page = await newPage()
    await signInLive(page, '/app/omsetning?vis=dager&dag=2026-10-19')
    const sum = page.locator('tfoot td').first()
    /** Somebody else changes the cell while it is edited, and the page receives it. */
    const changeOpened = async (Omsetning: number) => {
      await page.locator('[data-cell="0:0"]').click()
      const before = await sum.textContent()
      await call('/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', [
        { Dato: '2026-10-19', AvdelingID: '007', Omsetning },
      ])
      await expect.poll(() => sum.textContent()).not.toBe(before)
    }
    await changeOpened(77)
    await page.keyboard.type('55')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]:has-text("etter at du leste den")')
    await expect.poll(() => revenueOn('2026-10-19', '007')).toEqual([77])
    await changeOpened(10_088)
    // Left without typing, an amount is not saved.
    await page.locator('h1').click()
    await page
      .locator('[data-cell="0:0"]')
      .filter({ hasText: /^10\s088$/ })
      .waitFor()
    expect(await revenueOn('2026-10-19', '007')).toEqual([10_088])
  })

  test('the cell drawer shows the change log, and restores an earlier amount', async () => {
    page = await open('/app/omsetning?vis=dager&dag=2026-10-26', undefined, manager)
    const [before = 0] = await revenueOn('2026-10-26', '20')
    await page.locator('[data-cell="2:0"]').focus()
    await page.keyboard.press('Enter')
    await typeWhenFocused(page, '1')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert')
    await page.goto('/app/omsetning?vis=dager&dag=2026-10-26&celle=2026-10-26.20')
    await page.waitForSelector('.history li [title="leder@test.example"]:text-is("Ingrid Solberg")')
    await page.click('.history button')
    await expect.poll(() => revenueOn('2026-10-26', '20')).toEqual([before])
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
  })

  const waiting = async (): Promise<number> => {
    const query = "$filter=Status eq 'Registrert'&$count=true&$top=0"
    return (await call(`/odata/Transaksjon?${query}`))['@odata.count']
  }

  test('a manager approves selected lines after seeing count and sum, and undoes it', async () => {
    page = await open('/app/godkjenning', undefined, manager)
    await page.waitForSelector('.Queue-line')
    const before = await waiting()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.waitForSelector('.action-count:has-text("1 merket")')
    await page.keyboard.press('Shift+ArrowDown')
    await page.waitForSelector('.action-count:has-text("2 merket")')
    await expect.poll(() => page.textContent('.action-bar button >> nth=0')).toMatch(/^Godkjenn 2 \([\d ]/)
    await page.keyboard.press('a')
    await page.waitForSelector('.alert:has-text("2 godkjent")')
    await expect.poll(() => waiting()).toBe(before - 2)
    await page.keyboard.press('u')
    await page.waitForSelector('.alert:has-text("2 venter på godkjenning igjen")')
    await expect.poll(() => waiting()).toBe(before)
  })

  test('a saved filter is available in another browser, and can be deleted', async () => {
    page = await open('/app/godkjenning?gruppe=dag&avvik=true&merket=true&linje=300', undefined, manager)
    const menu = async (on: Page) => {
      await on.getByRole('button', { name: 'Lagrede filtre' }).press('Enter')
      await on.waitForSelector('[role=menu]')
    }
    await menu(page)
    await page.getByRole('menuitem', { name: 'Lagre dette filteret' }).press('Enter')
    await page.getByRole('button', { name: 'Lagre', exact: true }).press('Enter')
    await page.waitForSelector('[role=dialog]:has-text("Gi filteret et navn.")')
    await page.getByLabel('Navn').fill('Avvik dag for dag')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    const other = await newPage()
    await signIn(other, '/app/godkjenning')
    await menu(other)
    await other.getByRole('menuitem', { name: 'Avvik dag for dag', exact: true }).press('Enter')
    await other.waitForURL(/gruppe=dag&avvik=true$/)
    await menu(other)
    await other.getByRole('menuitem', { name: 'Slett filteret Avvik dag for dag' }).press('Enter')
    await menu(other)
    await expect.poll(() => other.getByRole('menuitem', { name: 'Avvik dag for dag', exact: true }).count()).toBe(0)
  })

  test('rejecting requires a reason, which stays when the request fails', async () => {
    page = await open('/app/godkjenning?gruppe=ingen', undefined, manager)
    await page.waitForSelector('.Queue-line')
    const before = await waiting()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.waitForSelector('.action-bar')
    await page.keyboard.press('r')
    await page.waitForSelector('[role=dialog] textarea:focus')
    await page.keyboard.press('Tab')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('[role=dialog]:has-text("Skriv en begrunnelse.")')
    await expect.poll(() => waiting()).toBe(before)
    await page.fill('[role=dialog] textarea', 'Feil <b>prosjekt</b>')
    const error = { code: 'Overloaded', message: 'Serveren er opptatt.' }
    const decideUrl = '**/app/data/uttak/beslutt'
    await page.route(decideUrl, (route) => route.fulfill({ status: 503, json: { error } }), { times: 1 })
    await page.click('[role=dialog] button[type=submit]')
    // The request failed: the reason is still there.
    await page.waitForSelector('[role=dialog] [role=alert]:has-text("Serveren er opptatt.")')
    expect(await page.getByText('Serveren er opptatt.').count()).toBe(1)
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('.alert:has-text("1 avvist")')
    await expect.poll(() => waiting()).toBe(before - 1)
    await page.goto('/app/godkjenning?liste=avvist&gruppe=ingen')
    await page.waitForSelector('.reason:has-text("Feil <b>prosjekt</b>")')
  })

  test('the list is filtered by project, and printed completely without controls', async () => {
    page = await open('/app/godkjenning?gruppe=ingen', undefined, manager)
    await page.waitForSelector('.Queue-line .strong')
    const all = Number(await page.getAttribute('.Queue-table', 'aria-rowcount'))
    await page.getByRole('button', { name: 'Flere filtre' }).press('Enter')
    await page.getByLabel('Prosjekt').fill('P003')
    await page.keyboard.press('Enter')
    await page.waitForURL(/prosjekt=P003/)
    const rows = async () => Number(await page.getAttribute('.Queue-table', 'aria-rowcount'))
    await expect.poll(rows).toBeLessThan(all)
    await page.goto('/app/godkjenning?gruppe=ingen')
    await page.waitForSelector('.Queue-line .strong')
    const drawn = () => page.locator('.Queue-line').count()
    await page.setViewportSize({ width: 1280, height: 200 })
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect.poll(drawn).toBeLessThan((await rows()) - 10)
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    await expect.poll(() => drawn()).toBeGreaterThanOrEqual((await rows()) - 1)
    await page.emulateMedia({ media: 'print' })
    for (const gone of ['.toolbar', '.rail', '.top', '.tabs'])
      await expect.poll(() => page.locator(gone).first().isVisible()).toBe(false)
  })

  test('under four-eyes approval nobody can approve own lines', async () => {
    page = await newPage()
    const context = page.context()
    await signIn(page, '/app/administrasjon?vis=innstillinger', administrator)
    await page.getByLabel('Fire øyne').press('Space')
    await page.locator('.Settings-form button[type=submit]').first().press('Enter')
    await page.waitForSelector('text=Lagret')
    await context.clearCookies()
    await signIn(page, '/app/uttak')
    await page.getByLabel('Vare', { exact: true }).fill('Egen vare')
    await page.getByLabel('Antall').fill('1')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.card-list li:has-text("Egen vare")')
    await page.goto('/app/godkjenning?gruppe=ingen&kilde=app')
    const own = page.locator('.Queue-line:has-text("Egen vare")').first()
    await own.locator('text=egen linje').waitFor()
    await expect.poll(() => own.locator('input').count()).toBe(0)
    await expect.poll(() => own.textContent()).toContain('Egen vare egen linje')
    const ownLeft = page.locator('.summary:has-text("1 linje som du selv har registrert eller rettet, er ikke merket")')
    await own.press('x')
    await ownLeft.waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Merk alle \d+ som passer filteret$/ }).click()
    await ownLeft.waitFor()
    await own.click()
    await page.getByText('Du har selv registrert eller rettet linjen, så en annen må godkjenne den.').waitFor()
    await context.clearCookies()
    await signIn(page, '/app/administrasjon?vis=innstillinger', administrator)
    await page.getByLabel('Fire øyne').press('Space')
    await page.locator('.Settings-form button[type=submit]').first().press('Enter')
    await page.waitForSelector('text=Lagret')
  })

  test('closing the line drawer restores the focus', async () => {
    page = await newPage()
    await page.setViewportSize({ width: 1024, height: 860 })
    await signIn(page, '/app/godkjenning')
    await page.waitForSelector('.Queue-line')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .history li')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row')
  })

  test('lines that somebody else decided first are listed, and the rest is approved', async () => {
    page = await open('/app/godkjenning?gruppe=ingen', undefined, manager)
    await page.waitForSelector('.Queue-line')
    // Anomalies come with the overview, the lines after it: one that is not loaded cannot be ticked.
    await expect.poll(() => page.locator('.Queue-table .skeleton').count()).toBe(0)
    await page.keyboard.press('j')
    for (const key of ['j', 'j', 'j', 'j', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.waitForSelector('.action-count:has-text("2 merket")')
    // An anomaly is listed twice.
    expect(await page.locator('.Queue-ticked').count()).toBeGreaterThanOrEqual(2)
    const ids = (await transactions("Status eq 'Registrert'")).map(({ Id }) => Id)
    await call('/prosjekt/Transaksjon/Godkjenn', { ids: ids.slice(0, -1) })
    await page.keyboard.press('a')
    await page.waitForSelector('.not-done li:has-text("allerede godkjent av en annen")')
    await expect.poll(() => waiting()).toBeLessThanOrEqual(1)
  })

  test('Explore API builds a query by click, and shows it as code', async () => {
    page = await open('/app/utforsk?sett=Ansatt', undefined, manager)
    await page.waitForSelector('.Explore-result td')
    await page.getByRole('button', { name: 'Etternavn', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Fornavn', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Avdeling', exact: true }).press('Enter')
    await page.getByLabel('Felt', { exact: true }).selectOption('Etternavn')
    await page.getByLabel('Sammenligning').selectOption('startswith')
    await page.getByLabel('Verdi').fill('B')
    await page.getByRole('button', { name: 'Legg til' }).press('Enter')
    await page.getByRole('button', { name: 'Kjør' }).press('Enter')
    await page.waitForURL(/expand=Avdeling/)
    await expect
      .poll(async () => (await page.locator('.Explore-result th').allTextContents()).join())
      .toBe('Etternavn,Fornavn,Avdeling')
    const initials = async () => {
      const names = await page.locator('.Explore-result td:first-child').allTextContents()
      return [...new Set(names.map((name) => name[0]))]
    }
    await expect.poll(initials).toEqual(['B'])
    await expect.poll(() => page.textContent('pre.code')).toContain('$filter=startswith(Etternavn,')
  })

  test('Explore API offers XML only for sets that have it', async () => {
    page = await open('/app/utforsk?sett=Avdeling&select=Id,Navn&top=2', undefined, manager)
    await page.waitForSelector('.Explore-result td')
    await page.getByText('XML', { exact: true }).click()
    await expect
      .poll(() => page.locator('.Explore-result pre').first().textContent())
      .toMatch(/<ArrayOfAvdeling[^>]*>\n<Avdeling>\n<Id>/)
    await page.goto('/app/utforsk?sett=Transaksjon&top=2')
    await page.waitForSelector('.Explore-result td')
    await expect.poll(() => page.getByText('XML', { exact: true }).count()).toBe(0)
  })

  test('the approval queue shows how many days a line has waited', async () => {
    await register({ Dato: '2026-11-02', ProsjektId: 'P003', Varenavn: 'Alderspumpe', Antall: 1 })
    // Age counts from registration, no matter who approved it since.
    const { value } = await call("/prosjekt/TransaksjonsEksport?$top=1&$filter=ProsjektId eq 'P003'")
    await call('/prosjekt/Transaksjon/TrekkGodkjenning', { ids: [value[0].Id] })
    page = await open('/app/godkjenning?prosjekt=P003', undefined, manager)
    await page.waitForSelector('.Queue-head:has-text("Alder")')
    const fresh = page.locator('.Queue-line:has-text("Alderspumpe")').first()
    await expect.poll(() => fresh.textContent()).toMatch(/0 d$/)
    // Anomalies are listed before the lines are loaded.
    const oldest = async () => {
      const rows = await page.locator('.Queue-line').allTextContents()
      return Math.max(...rows.map((text) => Number(/(\d+) d$/.exec(text)?.[1])))
    }
    await expect.poll(oldest).toBeGreaterThan(0)
  })

  test('a directory list shows changes of others live', async () => {
    page = await newPage()
    await signInLive(page, '/app/register?liste=Avdeling&sok=Nattlager')
    await page.waitForSelector('.state')
    await call('/ansatt/avdeling', { Id: 'NATT', Navn: 'Nattlager' })
    await page.waitForSelector('.list th:has-text("Nattlager")')
  })

  test('a manager searches the directory and opens a record; closing it restores the focus', async () => {
    page = await open('/app/register', undefined, manager)
    await page.waitForSelector('.list td')
    await page.keyboard.press('/')
    await typeWhenFocused(page, 'bakke')
    await page.waitForURL(/sok=bakke/)
    await expect.poll(() => page.locator('.list tbody tr').count()).toBeLessThan(20)
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    })
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .fields')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('row-open')
  })

  test('language and theme are remembered', async () => {
    page = await open('/app/i-dag', undefined, manager)
    await page.click('.languages button:text("EN")')
    await page.waitForSelector('h1:text("Today")')
    await page.click('.account')
    await page.click('[role=menuitem]:has-text("Dark")')
    await page.reload()
    await page.waitForSelector('h1:text("Today")')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe('dark')
  })

  test('a banner shows the age of the data while offline', async () => {
    page = await open('/app/i-dag', undefined, manager)
    await page.context().setOffline(true)
    await page.waitForSelector('.banner.offline:has-text("Det du ser, er fra kl.")')
    await page.context().setOffline(false)
    await page.waitForSelector('.banner.offline', { state: 'detached' })
  })

  const early = { Dato: '2026-11-13', ProsjektId: 'P003', Varenavn: 'Venter alt', Antall: 1 }

  test('a new line is counted at once, and listed on request', async () => {
    page = await newPage()
    await register(early)
    await signInLive(page, '/app/godkjenning')
    await page.waitForSelector('.Queue-line')
    const rows = Number(await page.getAttribute('.Queue-table', 'aria-rowcount'))
    const counted = async () => Number(await page.textContent('.tabs [aria-current] .tab-count'))
    const before = await counted()
    await register({ Dato: '2026-11-13', ProsjektId: 'P003', Varenavn: 'Kom nettopp', Antall: 1 })
    await page.waitForSelector('[role=status] .alert:has-text("1 ny linje")')
    expect(Number(await page.getAttribute('.Queue-table', 'aria-rowcount'))).toBe(rows)
    await page.getByRole('button', { name: 'Vis listen som den er nå' }).press('Enter')
    await expect.poll(counted).toBe(before + 1)
    await page.waitForSelector('[role=status] .alert', { state: 'detached' })
  })

  test('without live updates the app polls', async () => {
    page = await newPage()
    await register(early)
    await page.route('**/app/data/hendelser?*', (route) => route.fulfill({ status: 429, body: '' }))
    await page.clock.install()
    await signIn(page)
    const badge = async () => Number.parseInt((await page.textContent('.rail .badge')) ?? '', 10)
    const before = await badge()
    await register({ Dato: '2026-11-13', ProsjektId: 'P003', Varenavn: 'Uten strøm', Antall: 1 })
    // It polls from when the stream was rejected, which may be after the first round.
    const badgeLater = async () => {
      await page.clock.runFor(35_000)
      return badge()
    }
    await expect.poll(badgeLater).toBe(before + 1)
  })

  test('after signing out no screen is shown', async () => {
    page = await open('/app/i-dag', undefined, manager)
    await page.click('.account')
    await page.click('[role=menuitem]:has-text("Logg ut")')
    await page.waitForSelector('form')
    await page.goto('/app/omsetning')
    await page.waitForSelector('form')
  })

  test('a viewer of another company sees only that company', async () => {
    page = await open('/app/register?liste=Avdeling', undefined, { email: 'leder@test2.example', password: 'test2' })
    await page.waitForSelector('.list td')
    await expect.poll(() => page.textContent('.company')).toBe('TEST2')
  })

  test('a registrant registers two lines, and corrects a rejected one', async () => {
    const ansatt = { email: 'ansatt@test.example', password: 'test' }
    page = await open('/app/uttak', undefined, ansatt)
    await page.waitForSelector('.MaterialEntry-form')
    const project = page.getByRole('combobox', { name: 'Prosjekt' })
    await waitForChoices(project)
    for (const [item, typed] of [
      ['Sparkel', 'p003'],
      ['Maling hvit', 'varmepumpe bodø'],
    ] as const) {
      await page.getByLabel('Vare', { exact: true }).fill(item)
      await page.keyboard.press('Tab')
      await page.getByLabel('Antall').fill('2,5')
      await page.getByLabel('Enhet').fill('l')
      await project.fill(typed)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`.alert:has-text("Registrert: 2,5 l ${item}")`)
    }
    await expect.poll(() => project.inputValue()).toBe('Varmepumpe Bodø')
    // Found by part of its name, marked as favourite, and chosen.
    await page.getByLabel('Vare', { exact: true }).fill('ling hv')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=rowgroup][aria-label=Favoritter] [aria-pressed=true][data-focused]')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Vare', { exact: true }).inputValue()).toBe('Maling hvit')
    await page.waitForSelector('[role=grid]', { state: 'detached' })
    const [found] = await transactions("Varenavn eq 'Sparkel'")
    await call(`/prosjekt/Transaksjon(${found?.Id})/Avvis`, { grunn: 'For mye' })
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    // Another browser shows the same project, and the favourite after the last line: both are stored on the server.
    await signIn(page, '/app/uttak', ansatt)
    await page.waitForSelector('.MaterialEntry-tile:has-text("Maling hvit"):nth-child(2)')
    await expect.poll(() => project.inputValue()).toBe('Varmepumpe Bodø')
    const returned = page.locator('.card-list li:has-text("For mye")')
    await returned.getByText('Rett og send på nytt').click()
    await page.getByLabel('Antall').fill('1')
    await page.keyboard.press('Enter')
    await returned.waitFor({ state: 'detached' })
    await page.waitForSelector('.card-list li:has-text("Sparkel"):has-text("Venter på godkjenning")')
  })

  test('a registrant chooses a project from the list, and an unknown one is rejected', async () => {
    page = await open('/app/uttak', undefined, { email: 'ansatt@test.example', password: 'test' })
    const project = page.getByRole('combobox', { name: 'Prosjekt' })
    await waitForChoices(project)
    await page.getByLabel('Vare', { exact: true }).fill('Tettemasse')
    await page.keyboard.press('Tab')
    await page.getByLabel('Antall').fill('1')
    await project.fill('Tromsø havn')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.MaterialEntry-form:has-text("«Tromsø havn» finnes ikke i registeret")')
    await expect.poll(() => project.evaluate((field) => field === document.activeElement)).toBe(true)
    await expect.poll(() => page.locator('.card-list li:has-text("Tettemasse")').count()).toBe(0)
    await project.fill('nybygg bodø')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.MaterialEntry-form:has-text("Flere i registeret heter «nybygg bodø»")')
    await project.fill('nybygg bod')
    await page.keyboard.press('ArrowDown')
    await page.waitForSelector('[role=option][aria-selected=true]')
    await page.keyboard.press('Enter')
    await expect.poll(() => project.inputValue()).toBe('Nybygg Bodø')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.card-list li:has-text("Tettemasse"):has-text("Nybygg Bodø")')
  })

  test('an administrator previews an undo, gives reason and password, and requeues two lines', async () => {
    page = await open('/app/eksport?liste=ute')
    const boxes = page.locator('.table-scroll input[type=checkbox]')
    await boxes.first().press('Space')
    await boxes.nth(1).press('Space')
    await page.locator('.action-bar button').first().press('Enter')
    await expect.poll(() => page.locator('[role=dialog] .Export-ids code').count()).toBe(2)
    await page.locator('[role=dialog] button[type=submit]').press('Enter')
    await page.waitForSelector('[role=dialog]:has-text("Skriv en begrunnelse.")')
    await page.locator('[role=dialog] textarea').fill('Ført i feil regnskap')
    // The reply five minutes after sign-in; the second request reaches the server.
    await page.route(
      '**/app/data/eksport/angre',
      (route) => route.fulfill({ status: 403, body: '{"error":{"code":"ReauthenticationRequired","message":""}}' }),
      { times: 1 },
    )
    await page.locator('[role=dialog] button[type=submit]').click()
    await page.locator('input[name=password-again]').fill('feil')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog]:has-text("Passordet er feil.")')
    await page.locator('input[name=password-again]').fill(administrator.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.outcome:has-text("2 venter på å bli hentet igjen")')
    await page.getByRole('link', { name: 'Historikk', exact: true }).click()
    await page.waitForSelector('.page-section td:has-text("Ført i feil regnskap")')
  })

  test('an administrator creates, renews and revokes an API key, and creates a password', async () => {
    const fetchStatus = async (key: string) =>
      (await fetch(`${browserFixture.address}/dev/Omsetning/Finn?$top=1&key=${key}`)).status
    page = await open('/app/administrasjon')
    await page.getByRole('button', { name: 'Ny nøkkel' }).press('Enter')
    await page.getByRole('button', { name: 'Lag nøkkelen' }).press('Enter')
    await page.waitForSelector('[role=dialog]:has-text("Skriv navnet på integrasjonen.")')
    await page.getByLabel('Integrasjon', { exact: true }).fill('kasse')
    await page.getByLabel('lese omsetning').press('Space')
    await page.getByRole('button', { name: 'Lag nøkkelen' }).press('Enter')
    const first = (await page.textContent('.secret')) ?? ''
    await expect.poll(() => fetchStatus(first)).toBe(200)
    await page.getByRole('button', { name: 'Jeg har tatt vare på den' }).press('Enter')
    await page.getByRole('button', { name: /^Forny: kasse/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Forny' }).press('Enter')
    await page.waitForSelector('.secret')
    const second = (await page.textContent('.secret')) ?? ''
    expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([200, 200])
    await page.getByRole('button', { name: 'Jeg har tatt vare på den' }).press('Enter')
    const ends = page.getByRole('button', { name: /^Slett: kasse/ })
    for (const left of [1, 0]) {
      await ends.first().press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Slett' }).press('Enter')
      await expect.poll(() => ends.count()).toBe(left)
    }
    expect([await fetchStatus(first), await fetchStatus(second)]).toEqual([401, 401])

    await page.getByRole('button', { name: 'Ny nøkkel' }).press('Enter')
    await waitForDialog(page)
    const kind = page.getByRole('combobox', { name: 'Integrasjonen sender' })
    for (const key of ['ArrowDown', 'ArrowDown']) await kind.press(key)
    await page.waitForSelector('[data-combobox-selected]:has-text("firma og passord")')
    await kind.press('Enter')
    await expect.poll(() => page.getByLabel('godkjenne uttak').count()).toBe(0)
    await page.getByLabel('Integrasjon', { exact: true }).fill('kasse')
    await page.getByLabel('lese omsetning').press('Space')
    await page.getByRole('button', { name: 'Lag passordet' }).press('Enter')
    const password = (await page.textContent('.secret')) ?? ''
    const url = `${browserFixture.address}/dev/Omsetning/Finn?$top=1&firma=TEST&passord=${password}`
    await expect.poll(async () => (await fetch(url)).status).toBe(200)
  })

  test('an administrator invites a person, who joins by the link, and disables them', async () => {
    page = await open('/app/administrasjon?vis=personer')
    await page.getByRole('button', { name: 'Inviter' }).press('Enter')
    await page.getByLabel('E-post').fill('ny@test.example')
    await page.getByRole('button', { name: 'Lag lenke' }).press('Enter')
    const link = (await page.textContent('.secret')) ?? ''
    const other = await newPage()
    await other.goto(link)
    await other.getByLabel('Navnet ditt').fill('Ny Person')
    await other.locator('input[name=new-password]').fill('korger under bordet')
    await other.keyboard.press('Enter')
    await other.waitForSelector('.shell h1')
    await page.getByRole('button', { name: 'Jeg har tatt vare på den' }).press('Enter')
    await page.reload()
    await page.getByRole('button', { name: 'Fjern tilgang: ny@test.example' }).press('Enter')
    await page.waitForSelector('.cards tr:has-text("ny@test.example"):has-text("uten tilgang siden")')
    await other.goto('/app/i-dag')
    await other.waitForSelector('input[name=password]')
  })

  test('where no e-mail is sent, a pending invitation offers another link', async () => {
    page = await open('/app/administrasjon?vis=personer')
    await page.getByRole('button', { name: 'Inviter' }).press('Enter')
    await page.getByLabel('E-post').fill('venter@test.example')
    await page.getByRole('button', { name: 'Lag lenke' }).press('Enter')
    const first = await page.textContent('.secret')
    await page.getByRole('button', { name: 'Jeg har tatt vare på den' }).press('Enter')
    await page.getByRole('button', { name: 'Lag lenke: venter@test.example' }).press('Enter')
    const second = (await page.textContent('.secret')) ?? ''
    expect(second).not.toBe(first)
    expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0)
    const other = await newPage()
    await other.goto(second)
    await other.getByRole('button', { name: 'Bli med i TEST' }).waitFor()
  })

  test('an administrator finds a rejected call by request id, and sets an alert rule', async () => {
    await fetch(`${browserFixture.address}/dev/Omsetning/Finn?$top=-1&key=test-key`, {
      headers: { 'X-Request-Id': 'kasse-17' },
    })
    page = await open('/app/administrasjon?vis=kall')
    // The server writes the API call log every few seconds.
    const isLogged = () =>
      page.evaluate(async (path) => (await (await fetch(path)).text()).includes('kasse-17'), appPaths.rejectedCalls)
    await expect.poll(isLogged, { interval: 500 }).toBe(true)
    await page.reload()
    await page.waitForSelector('.cards tr:has-text("kasse-17")')
    await page.getByLabel('Forespørselens id').fill('kasse-18')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.state:has-text("Ingen avviste kall har denne id-en")')
    await page.getByLabel('Forespørselens id').fill('kasse-17')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.cards tr:has-text("$top")')
    await page.goto('/app/administrasjon')
    const integration = page.locator('.cards tr:has-text("Vis kallet")').first()
    await integration.getByRole('button', { name: /^Varsel: / }).press('Enter')
    await page.getByLabel('Forventes minst hver … time').fill('12')
    await page.getByRole('button', { name: 'Lagre' }).press('Enter')
    await page.waitForSelector('.cards tr:has-text("forventes minst hver 12. time")')
  })

  test('a registrant sees which role a screen requires', async () => {
    page = await open('/app/omsetning', undefined, { email: 'ansatt@test.example', password: 'test' })
    await page.waitForSelector('.state:has-text("Du har ikke tilgang hit")')
    await expect.poll(() => page.locator('.rail-link:has-text("Omsetning")').count()).toBe(0)
  })
})
