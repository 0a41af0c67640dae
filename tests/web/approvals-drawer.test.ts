// Approvals: decisions on an open line, beside the list or in a drawer, selection, and decisions that are sent in parts.
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, typeWhenFocused, waitForDialog } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

const registrant = { email: 'ansatt@test.example', password: 'test' }

describe.runIf(isAvailable('chromium'))('approvals', () => {
  const browserFixture = useBrowser()
  const { call } = browserFixture
  let page: Page

  /** Registers a line per item, which is no exception. */
  const register = (source: string, items: Readonly<Record<string, object>>) =>
    call(
      '/prosjekt/Transaksjon/Batch',
      Object.entries(items).map(([Varenavn, more], index) => ({
        Dato: '2026-11-13',
        ProsjektId: 'P003',
        Antall: 1,
        Salgspris: 10.55,
        Kilde: source,
        EksternId: `${source}-${index}`,
        Varenavn,
        ...more,
      })),
    )

  const states = async (source: string) =>
    (await browserFixture.transactions(`Kilde eq '${source}'`)).map(({ Status }) => Status)

  /** An open line, or a dialog. */
  const drawer = () => page.locator(opened).first()
  const opened = ':is([role=dialog], .DetailPane-pane)'

  const openLine = async (source: string, item: string) => {
    page = await browserFixture.open(`/app/godkjenning?gruppe=ingen&kilde=${source}`)
    await page.locator(`.Queue-line:has-text("${item}")`).first().click()
    await drawer().getByText(item).first().waitFor()
  }

  test('the letter after g decides nothing, also once the shortcuts were shown', async () => {
    await register('tast', { 'Tast A': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=tast')
    await page.locator('.Queue-line input').check()
    await page.keyboard.press('?')
    await waitForDialog(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    for (const key of ['g', 'a', 'g', 'i']) await page.keyboard.press(key)
    await page.waitForSelector('h1:text("I dag")')
    expect(await states('tast')).toEqual(['Registrert'])
  })

  test('a line is approved, undone and rejected in its drawer, and j and k open its neighbours', async () => {
    await register('skuff', { 'Skuff A': {}, 'Skuff B': {}, 'Skuff C': {} })
    await openLine('skuff', 'Skuff A')
    await page.keyboard.press('j')
    await page.waitForSelector('.drawer-title:has-text("Skuff B")')
    await page.keyboard.press('k')
    await page.waitForSelector('.drawer-title:has-text("Skuff A")')
    await page.keyboard.press('a')
    await page.waitForSelector(`${opened} .alert:has-text("1 godkjent (10,55)")`)
    await expect.poll(() => states('skuff')).toEqual(['Godkjent', 'Registrert', 'Registrert'])
    await page.keyboard.press('u')
    await page.waitForSelector(`${opened} .alert:has-text("venter på godkjenning igjen")`)
    await expect.poll(() => states('skuff')).toEqual(['Registrert', 'Registrert', 'Registrert'])
    await page.getByRole('button', { name: 'Avvis …' }).click()
    await page.locator('[role=dialog] textarea').fill('Feil prosjekt')
    await page.getByRole('button', { name: 'Avvis 1' }).click()
    await page.waitForSelector('.drawer-title:has-text("avvist")')
    await expect.poll(() => states('skuff')).toEqual(['Avvist', 'Registrert', 'Registrert'])
    // The list has moved up: the next line is in the place of the rejected one.
    await expect.poll(() => page.locator('.Queue-line:has-text("Skuff A")').count()).toBe(0)
    await page.getByRole('button', { name: 'Neste linje' }).click()
    await page.waitForSelector('.drawer-title:has-text("Skuff B")')
    await page.getByRole('button', { name: 'Godkjenn', exact: true }).click()
    await page.waitForSelector('.drawer-title:has-text("Linje"):has-text("godkjent")')
    await page.getByRole('button', { name: 'Trekk godkjenningen' }).click()
    await expect.poll(() => states('skuff')).toEqual(['Avvist', 'Registrert', 'Registrert'])
  })

  test('on a wide screen the open line is beside the list, which stays usable', async () => {
    await register('side', { 'Side A': {}, 'Side B': {}, 'Side C': {} })
    await openLine('side', 'Side A')
    const row = (item: string) => page.locator(`.Queue-line:has-text("${item}")`)
    const title = (item: string) => page.waitForSelector(`.DetailPane-pane .drawer-title:has-text("${item}")`)
    const isFocused = (item: string) =>
      expect.poll(() => row(item).evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(0)
    const [list, pane] = [
      await page.locator('.Queue-table').boundingBox(),
      await page.locator('.DetailPane-pane').boundingBox(),
    ]
    expect(pane?.x).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? 0))
    expect(await getOverflow(page)).toBe(0)
    await row('Side C').click()
    await title('Side C')
    await page.keyboard.press('k')
    await title('Side B')
    await isFocused('Side B')
    await page.getByRole('button', { name: 'Forrige linje' }).focus()
    await page.keyboard.press('Escape')
    await page.locator('.DetailPane-pane').waitFor({ state: 'detached' })
    await isFocused('Side B')
    await page.keyboard.press('Enter')
    await title('Side B')
    await page.keyboard.press('x')
    await page.waitForSelector('.action-count:has-text("1 merket")')
    await page.keyboard.press('j')
    await title('Side C')
    // The selected line, and not the open one.
    await page.keyboard.press('a')
    await page.waitForSelector('.alert:has-text("1 godkjent (10,55)")')
    await expect.poll(() => states('side')).toEqual(['Registrert', 'Godkjent', 'Registrert'])
    await page.keyboard.press('u')
    await page.waitForSelector('.alert:has-text("1 venter på godkjenning igjen")')
    await expect.poll(() => page.locator('.action-bar').count()).toBe(0)
    await page.keyboard.press('a')
    await expect.poll(() => states('side')).toEqual(['Registrert', 'Registrert', 'Godkjent'])
    await page.setViewportSize({ width: 1024, height: 860 })
    await page.waitForSelector('[role=dialog] .drawer-title:has-text("Side C")')
  })

  test.each([
    ['nb', '640 m, vanligvis 12–15'],
    ['en', '640 m, usually 12–15'],
  ] as const)(
    'an exception is explained by the usual value, and by the line that it repeats: %s',
    async (language, text) => {
      const source = `grunn-${language}`
      const quantities = { A: 8, B: 12, C: 15, D: 20, E: 640 }
      const item = { VareId: source, Enhet: 'm' }
      await register(
        source,
        Object.fromEntries(Object.entries(quantities).map(([name, Antall]) => [`Grunn ${name}`, { ...item, Antall }])),
      )
      await register(`${source}-2`, { Like: {} })
      const { resultater } = await register(`${source}-3`, { Like: {} })
      page = await browserFixture.open(`/app/godkjenning?gruppe=ingen&kilde=${source}`, {
        theme: 'light',
        language,
        width: 1280,
      })
      await page.locator('.Queue-line:has-text("Grunn E")').first().click()
      await drawer().getByText(text).waitFor()
      await page.goto(`/app/godkjenning?gruppe=ingen&kilde=${source}-2`)
      await page.locator('.Queue-line:has-text("Like")').first().click()
      await drawer()
        .getByRole('button', { name: new RegExp(`^(Linje|Line) ${resultater[0].id}$`) })
        .click()
      await page.waitForURL(`**linje=${resultater[0].id}`)
    },
  )

  test('lines are searched and sorted in the list, which keeps the selection', async () => {
    await register('sok', {
      'Søk Å': { Antall: 2 },
      'Søk B': { Antall: 30_000 },
      'Søk C': { Antall: 1, Merknad: 'Finn meg' },
    })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=sok')
    const items = () => page.locator('.Queue-line').allTextContents()
    const expectOrder = (...names: readonly string[]) =>
      expect
        .poll(async () => (await items()).map((one) => /Søk [ÅBC]/.exec(one)?.[0]))
        .toEqual(names.map((name) => `Søk ${name}`))
    const heading = page.getByRole('columnheader', { name: 'Beløp' })
    await expectOrder('Å', 'B', 'C')
    await page.locator('.Queue-line:has-text("Søk Å") input').check()
    await heading.getByRole('button').click()
    await expectOrder('C', 'Å', 'B')
    await heading.getByRole('button').click()
    await expectOrder('B', 'Å', 'C')
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
    await page.waitForSelector('.action-count:has-text("1 merket, 21,10")')
    expect(page.url()).toContain('sorter=-belop')
    await heading.getByRole('button').click()
    await expectOrder('Å', 'B', 'C')
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await typeWhenFocused(page, 'finn MEG')
    await expectOrder('C')
    await page.waitForSelector('.summary:has-text("1 linje, til sammen 10,55")')
    await page.getByRole('button', { name: 'Nullstill' }).click()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
    await page.goto('/app/godkjenning?liste=eksportert&sok=kabel&sorter=belop')
    await page.waitForSelector('.Queue-line, .state')
    expect(await page.getByRole('searchbox').count()).toBe(0)
  })

  test('exceptions on top and the cards of a phone are sorted as the list', async () => {
    // Without a project, a line is an exception.
    await register('orden', {
      'Orden Å': { Salgspris: 2, ProsjektId: null },
      'Orden Ø': { Salgspris: 1, ProsjektId: null },
      'Orden B': { Salgspris: 3, ProsjektId: null },
    })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=orden&avvik=true', oppositeAppearances[1])
    const expectOrder = (letters: string) =>
      expect
        .poll(async () =>
          (await page.locator('.Queue-line').allTextContents()).map((one) => /Orden (.)/.exec(one)?.[1]).join(''),
        )
        .toBe(letters)
    await expectOrder('ÅØB')
    await page.getByRole('button', { name: 'View' }).click()
    await page.getByLabel('Sort by').selectOption('amount')
    await expectOrder('ØÅB')
    await page.getByLabel('Sort by').selectOption('-item')
    await expectOrder('ÅØB')
    await page.getByLabel('Sort by').selectOption('item')
    await expectOrder('BØÅ')
  })

  test('a group is selected whole when some of its lines are selected already', async () => {
    await register('gruppe', { 'Gruppe A': {}, 'Gruppe B': {}, 'Gruppe C': { Salgspris: 1 } })
    page = await browserFixture.open('/app/godkjenning?kilde=gruppe')
    const group = page.locator('.Queue-groupTick')
    await group.click()
    await page.waitForSelector('.action-count:has-text("3 merket, 22,10")')
    await page.locator('.Queue-line:has-text("Gruppe B") input').uncheck()
    await page.waitForSelector('.action-count:has-text("2 merket, 11,55")')
    await group.click()
    await page.waitForSelector('.action-count:has-text("3 merket, 22,10")')
  })

  test('the shortcuts of the list apply after a line was ticked with the mouse', async () => {
    await register('mus', { 'Mus A': {}, 'Mus B': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=mus')
    const tick = page.locator('.Queue-line:has-text("Mus A") input')
    await tick.check()
    // Space still toggles the checkbox itself.
    await page.keyboard.press(' ')
    await expect.poll(() => tick.isChecked()).toBe(false)
    await page.keyboard.press(' ')
    await page.waitForSelector('.action-count:has-text("1 merket")')
    await page.keyboard.press('a')
    await expect.poll(() => states('mus')).toEqual(['Godkjent', 'Registrert'])
  })

  test('the shortcuts of the list do not apply behind an open line', async () => {
    await register('bak', { 'Bak A': {}, 'Bak B': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=bak')
    await page.setViewportSize({ width: 1024, height: 860 })
    await page.locator('.Queue-line:has-text("Bak A") input').check()
    await page.waitForSelector('.action-count:has-text("1 merket")')
    await page.locator('.Queue-line:has-text("Bak B")').click()
    await page.waitForSelector('.drawer-title:has-text("Bak B")')
    await page.keyboard.press('a')
    await expect.poll(() => states('bak')).toEqual(['Registrert', 'Godkjent'])
  })

  test('an open line says why it is an exception, and shows which fields are empty', async () => {
    await register('avvik', { 'Uten alt': { ProsjektId: null, Salgspris: null } })
    await openLine('avvik', 'Uten alt')
    await page.waitForSelector(`${opened} .warning-tag:text-is("uten prosjekt")`)
    await page.waitForSelector(`${opened} .warning-tag:text-is("uten pris")`)
    for (const name of ['Prosjekt', 'Pris'])
      await expect.poll(() => drawer().locator(`.fields > div:has(dt:text-is("${name}")) dd`).textContent()).toBe('–')
  })

  test('a wrong line is corrected in its drawer, and its history shows each value before and after', async () => {
    await register('rett', { 'Rett A': { ProsjektId: null, Antall: 640, Salgspris: null } })
    await openLine('rett', 'Rett A')
    await page.getByRole('button', { name: 'Rett …' }).click()
    await drawer().getByLabel('Prosjekt').fill('Tromsø')
    await drawer().getByLabel('Antall').fill('mange')
    await page.keyboard.press('Enter')
    await drawer().getByText('Skriv et tall, for eksempel 2,5.').waitFor()
    await drawer().getByText('«Tromsø» finnes ikke i registeret').waitFor()
    await drawer().getByLabel('Antall').fill('0')
    await page.keyboard.press('Enter')
    await drawer().getByText('Antallet kan ikke være 0.').waitFor()
    await drawer().getByLabel('Antall').fill('64')
    await drawer().getByLabel('Prosjekt').fill('P003')
    await drawer().getByLabel('Pris').fill('12,50')
    await page.getByRole('button', { name: 'Lagre rettelsen' }).click()
    await page.waitForSelector(`${opened} .alert:has-text("1 rettet")`)
    await drawer().getByText('Prosjekt – → P003, Antall 640 → 64, Pris – → 12,5').waitFor()
    await page.waitForSelector(`${opened} .fields > div:has(dt:text-is("Beløp")):has-text("800,00")`)
    await expect.poll(() => drawer().locator('.warning-tag').count()).toBe(0)
    await page.keyboard.press('a')
    await expect.poll(() => states('rett')).toEqual(['Godkjent'])
  })

  test.each([
    [oppositeAppearances[0], ['Rett …', 'Prosjekt', 'Pris', 'Rett 2 linjer', '2 rettet']],
    [oppositeAppearances[1], ['Correct …', 'Project', 'Price', 'Correct 2 lines', '2 corrected']],
  ] as const)(
    'the selected lines are corrected at once, and only in the fields that are filled in: %j',
    async (appearance, [correct, project, price, save, done]) => {
      const source = `rett-flere-${appearance?.language}`
      const { resultater } = await register(source, {
        'Flere A': { ProsjektId: null, Antall: 3 },
        'Flere B': { ProsjektId: null, Antall: 4 },
        'Flere C': { ProsjektId: null, Antall: 5 },
      })
      page = await browserFixture.open(`/app/godkjenning?gruppe=ingen&kilde=${source}`, appearance)
      for (const item of ['Flere A', 'Flere B'])
        await page.locator(`.Queue-line:has-text("${item}") input`).first().check()
      await page.getByRole('button', { name: correct }).click()
      await typeWhenFocused(page, 'P003')
      const field = drawer().getByRole('combobox', { name: project })
      await expect.poll(() => field.inputValue()).toBe('P003')
      await drawer()
        .getByLabel(price)
        .fill(appearance?.language === 'en' ? '2.5' : '2,5')
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      await page.getByRole('button', { name: save }).click()
      await page.waitForSelector(`.alert:has-text("${done}")`)
      await expect.poll(() => page.locator('.action-bar').count()).toBe(0)
      const read = resultater.map(({ id }: { id: number }) => call(`/odata/Transaksjon(${id})`))
      expect(await Promise.all(read)).toMatchObject([
        { ProsjektId: 'P003', Antall: 3, Salgspris: 2.5 },
        { ProsjektId: 'P003', Antall: 4, Salgspris: 2.5 },
        { ProsjektId: null, Antall: 5, Salgspris: 10.55 },
      ])
    },
  )

  test('a selected line that somebody changed meanwhile is named, and the others are corrected', async () => {
    const { resultater } = await register('rett-endret', { 'Endret A': {}, 'Endret B': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=rett-endret')
    await page.getByRole('button', { name: 'Merk alle 2 som passer filteret' }).click()
    await page.waitForSelector('.action-count:has-text("2 merket")')
    await call(`/prosjekt/Transaksjon(${resultater[0].id})`, { Merknad: 'ny' }, 'PATCH')
    await page.getByRole('button', { name: 'Rett …' }).click()
    await waitForDialog(page)
    await drawer().getByLabel('Antall').fill('7')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("1 rettet")')
    await page.waitForSelector(`.not-done li:has-text("Linje ${resultater[0].id}: endret etter at du åpnet listen")`)
    expect((await call(`/odata/Transaksjon(${resultater[1].id})`)).Antall).toBe(7)
  })

  test('a line that somebody changes while it is corrected is not overwritten, also when the page has received the change', async () => {
    const { resultater } = await register('rett-samtidig', { 'Samtidig A': {} })
    await openLine('rett-samtidig', 'Samtidig A')
    await page.getByRole('button', { name: 'Rett …' }).click()
    await drawer().getByLabel('Antall').fill('7')
    await call(`/prosjekt/Transaksjon(${resultater[0].id})`, { Antall: 5, Merknad: 'telt på nytt' }, 'PATCH')
    await page.waitForSelector(`${opened} .fields dd:has-text("telt på nytt")`)
    await page.getByRole('button', { name: 'Lagre rettelsen' }).click()
    await page.waitForSelector(`${opened} .not-done li:has-text("endret etter at du åpnet listen")`)
    expect((await call(`/odata/Transaksjon(${resultater[0].id})`)).Antall).toBe(5)
  })

  test('all lines without exceptions are selected at once, with their exact sum', async () => {
    await register('utvalg', { 'Utvalg A': {}, 'Utvalg B': {}, 'Utvalg C': {}, 'Utvalg D': { ProsjektId: null } })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=utvalg')
    await page.waitForSelector('.summary:has-text("4 linjer, til sammen 42,20, 1 avvik.")')
    await page.getByRole('button', { name: 'Merk alle 3 uten avvik' }).click()
    await page.waitForSelector('.action-count:has-text("3 merket, 31,65")')
    await page.keyboard.press('a')
    await page.waitForSelector('.alert:has-text("3 godkjent (31,65)")')
    await expect.poll(() => states('utvalg')).toEqual(['Godkjent', 'Godkjent', 'Godkjent', 'Registrert'])
  })

  test('the sum of a selection includes lines that came after the list was loaded', async () => {
    await register('etter', { 'Etter A': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=etter')
    await page.waitForSelector('.Queue-line:has-text("Etter A")')
    await call('/prosjekt/Transaksjon/Batch', [
      { Dato: '2026-11-13', ProsjektId: 'P003', Antall: 1, Salgspris: 100, Kilde: 'etter', Varenavn: 'Etter B' },
    ])
    await page.getByRole('button', { name: /^Merk alle/ }).click()
    await page.waitForSelector('.action-count:has-text("2 merket, 110,55")')
  })

  test('a line that was changed after the list was loaded is not approved unseen', async () => {
    const { resultater } = await register('endret', { 'Endret vare': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=endret')
    const line = page.locator('.Queue-line:has-text("Endret vare")')
    await line.locator('input').check()
    await call(`/prosjekt/Transaksjon(${resultater[0].id})`, { Antall: 1000 }, 'PATCH')
    await page.locator('.action-bar button').first().click()
    await page.waitForSelector('.not-done li:has-text("endret etter at du åpnet listen")')
    await expect.poll(() => states('endret')).toEqual(['Registrert'])
    await page.waitForSelector('.Queue-line:has-text("10 550,00")')
    await line.locator('input').check()
    await page.locator('.action-bar button').first().click()
    await expect.poll(() => states('endret')).toEqual(['Godkjent'])
  })

  test('a key pressed before the line is loaded selects or opens it when it arrives', async () => {
    await register('sen', { 'Sen A': {}, 'Sen B': {} })
    page = await browserFixture.open('/app/hjelp')
    const held: Route[] = []
    let isHolding = true
    await page.route('**/app/data/uttak/linjer?*', (route) => (isHolding ? void held.push(route) : route.continue()))
    await page.goto('/app/godkjenning?gruppe=ingen&kilde=sen&sorter=vare')
    await page.waitForSelector('.Queue-table .skeleton', { state: 'attached' })
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowUp', 'Enter']) await page.keyboard.press(key)
    expect(await page.locator('.action-count').count()).toBe(0)
    isHolding = false
    for (const route of held) await route.continue()
    await page.waitForSelector('.action-count:has-text("2 merket, 21,10")')
    await page.waitForSelector('.drawer-title:has-text("Sen A")')
    await page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'detached' })
    await page.keyboard.press('x')
    await page.waitForSelector('.action-count:has-text("1 merket, 10,55")')
  })

  test('a correction whose second part fails reports the lines of the first', { timeout: 180_000 }, async () => {
    const { resultater } = await register('deler', { 'Delt A': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=deler')
    await page.waitForSelector('.Queue-line:has-text("Delt A")')
    const unknown = Array.from({ length: 100_000 }, (_, index) => 5_000_001 + index)
    await page.route('**/app/data/uttak/ider?*', async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, ids: [resultater[0].id, ...unknown] } })
    })
    await page.getByRole('button', { name: /^Merk alle/ }).click()
    await expect.poll(() => page.locator('.action-count').textContent()).toMatch(/^100\s001 merket/)
    let parts = 0
    await page.route('**/app/data/uttak/rett', (route) => {
      parts += 1
      return parts === 1
        ? route.continue()
        : route.fulfill({ status: 503, json: { error: { code: 'Overloaded', message: 'Serveren er opptatt.' } } })
    })
    await page.getByRole('button', { name: 'Rett …' }).click()
    await waitForDialog(page)
    await drawer().getByLabel('Antall').fill('7')
    await page.keyboard.press('Enter')
    await page.waitForSelector(
      '.outcome [role=alert]:has-text("Serveren svarte ikke for 1 linje. Listen"):has-text("Serveren er opptatt.")',
      { timeout: 60_000 },
    )
    await page.waitForSelector('.outcome .alert:has-text("1 rettet")')
    await page.waitForSelector('.not-done li:has-text("Linje 5000001: finnes ikke lenger")')
    expect((await call(`/odata/Transaksjon(${resultater[0].id})`)).Antall).toBe(7)
    // The lines of both parts were selected.
    await expect.poll(() => page.locator('.action-bar').count()).toBe(0)
  })

  test('an approval of more than 100,000 lines is sent in parts, and so is its undo', async () => {
    await register('mange', { 'Mange A': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=mange')
    await page.waitForSelector('.Queue-line:has-text("Mange A")')
    // As if so many waited: registering them takes too long.
    const ids = Array.from({ length: 100_006 }, (_, index) => 5_000_001 + index)
    const amounts = ids.map(() => 10_000)
    await page.route('**/app/data/uttak/ider?*', async (route) => {
      const json = await (await route.fetch()).json()
      await route.fulfill({ json: { ...json, ids, amounts } })
    })
    const sent: string[] = []
    await page.route('**/app/data/uttak/beslutt', (route) => {
      const body = route.request().postDataJSON()
      sent.push(`${body.action} ${body.ids}`)
      const [first, last] = body.ids.split('-').map(Number)
      const done = ids.slice(first - 5_000_001, last - 5_000_000)
      return route.fulfill({ json: { done, others: [] } })
    })
    await page.getByRole('button', { name: /^Merk alle/ }).click()
    await page.getByRole('button', { name: /^Godkjenn 100\s006 \(100\s006,00\)$/ }).click()
    await page.locator('.outcome .alert', { hasText: /^100\s006 godkjent \(100\s006,00\)/ }).waitFor()
    const parts = ['5000001-5100000', '5100001-5100006']
    expect(sent).toEqual(parts.map((part) => `approve ${part}`))
    await page.locator('.outcome').getByRole('button', { name: 'Angre' }).click()
    await page.locator('.outcome .alert', { hasText: /^100\s006 venter på godkjenning igjen/ }).waitFor()
    expect(sent.slice(2)).toEqual(parts.map((part) => `withdraw ${part}`))
  })

  test('a key that is pressed again before the reply decides once, and the decision can be undone', async () => {
    await register('dobbelt', { 'Dobbelt A': {} })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=dobbelt&merket=true')
    await page.waitForSelector('.action-count:has-text("1 merket")')
    const requests: Route[] = []
    await page.route('**/app/data/uttak/beslutt', (route) => void requests.push(route))
    await page.keyboard.press('a')
    await expect.poll(() => requests.length).toBe(1)
    await page.keyboard.press('a')
    await page.keyboard.press('a')
    await requests[0]?.continue()
    await page.locator('.outcome').getByRole('button', { name: 'Angre' }).waitFor()
    expect(await page.locator('.outcome .alert').allTextContents()).toEqual([expect.stringContaining('1 godkjent')])
    expect(requests).toHaveLength(1)
    expect(await states('dobbelt')).toEqual(['Godkjent'])
  })

  test('with four-eyes approval a correction says that somebody else must approve it', async () => {
    await register('fire', { 'Fire A': {}, 'Fire B': {} })
    page = await browserFixture.open('/app/hjelp')
    await page.route('**/app/okt*', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ json: { ...(await reply.json()), fourEyes: true } })
    })
    await page.goto('/app/godkjenning?gruppe=ingen&kilde=fire')
    await page.getByRole('button', { name: 'Merk alle 2 som passer filteret' }).click()
    await page.getByRole('button', { name: 'Rett …' }).click()
    await drawer().getByText('En annen enn du må godkjenne det du retter.').waitFor()
  })

  test('a line registered in the app shows who registered it', async () => {
    page = await browserFixture.open('/app/uttak', undefined, registrant)
    await page.getByLabel('Vare', { exact: true }).fill('Fra appen')
    await page.keyboard.press('Tab')
    await page.getByLabel('Antall').fill('1')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.card-list li:has-text("Fra appen")')
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=app')
    await page.waitForSelector('.Queue-line:has-text("Fra appen"):has-text("Jonas Haugen")')
  })

  test.each(oppositeAppearances)('an open line is accessible: $theme, $language, $width wide', async (appearance) => {
    await register('tilgjengelig', { 'Uten prosjekt': { ProsjektId: null } })
    page = await browserFixture.open('/app/godkjenning?gruppe=ingen&kilde=tilgjengelig', appearance)
    await page.locator('.Queue-line').first().click()
    await page.waitForSelector(`${opened} .actions button`)
    await page.waitForSelector(`${opened} .warning-tag`)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await drawer()
      .getByRole('button', { name: /^(Rett|Correct) …$/ })
      .click()
    await page.waitForSelector(`${opened} form input`)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
  })
})
