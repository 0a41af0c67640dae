// Lists: sorted, searched, with columns of choice, and downloaded as CSV.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, type Appearance } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

const phone: Appearance = { theme: 'light', language: 'nb', width: 375 }

describe.runIf(isAvailable('chromium'))('lists', () => {
  const browserFixture = useBrowser()
  let page: Page
  beforeAll(async () => {
    const sites = Array.from({ length: 60 }, (_, index) => ({ Id: `S${index}`, Navn: `Anlegg ${index}` }))
    for (const site of sites) await browserFixture.call('/ansatt/anlegg', site)
    await browserFixture.call('/ansatt/anlegg', { Id: '=1+1', Navn: '@SUM(A1)', Poststed: 'Bø; "Telemark"' })
    for (const AvdelingID of ['X9', 'X10', 'X2'])
      await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterListe', [
        { Dato: '2026-11-10', AvdelingID, Omsetning: AvdelingID === 'X2' ? -99_999_999.99 : 0.5 },
      ])
  })

  const open = async (path: string, appearance?: Appearance) => {
    page = await browserFixture.open(path, appearance)
    await page.waitForSelector('.table-scroll :is(td, th[scope=row])')
  }

  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Last ned listen som CSV' }).last().press('Enter'),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    return { name: file.suggestedFilename(), lines }
  }

  const titles = () => page.locator('thead th').allTextContents()

  /** Opens the view of a list by keyboard. */
  const openView = async () => {
    await page.getByRole('button', { name: 'Visning' }).last().press('Enter')
    await page.getByRole('button', { name: 'Standardvisning' }).waitFor()
  }

  test('the file has all rows of the list, not only those of the page, and no formula', async () => {
    await open('/app/register?liste=Anlegg')
    expect(await page.locator('.list tbody tr').count()).toBe(50)
    const { name, lines } = await download()
    expect(name).toBe('anlegg_TEST.csv')
    expect(lines[0]).toBe('\uFEFFNr.;Navn;Poststed')
    expect(lines).toContain('S59;Anlegg 59;')
    expect(lines).toContain(`"'=1+1";"'@SUM(A1)";"Bø; ""Telemark"""`)
  })

  test('the file has the rows that the search finds, in the order of the list', async () => {
    await open('/app/register?liste=Anlegg&sok=Anlegg 5&sorter=-Navn')
    const { lines } = await download()
    expect(lines.slice(1).map((line) => line.split(';')[0])).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, ''].map((digit) => `S5${digit}`),
    )
  })

  test('amounts in the file have every decimal, days and timestamps are ISO 8601', async () => {
    await open('/app/rydde')
    const unknown = page.getByRole('region', { name: 'Ukjente avdelingskoder' })
    expect(await unknown.locator('td[data-title=Sum]').allTextContents()).toContain('−99\u00A0999\u00A0999,99')
    const { lines } = await download()
    expect(lines[0]).toBe('\uFEFFKode;Poster;Sum;Første;Siste;Sendt av')
    expect(lines.find((line) => line.startsWith('X2;'))).toMatch(/^X2;1;-99999999,99;2026-11-10;2026-11-10;/)
    await open('/app/omsetning?vis=mottatt')
    const received = (await download()).lines
    expect(received[1]).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z;/)
    // Far more than the page that is shown.
    expect(received.length).toBeGreaterThan((await page.locator('.feed tbody tr').count()) * 2)
  })

  test('the file of received revenue takes a request for each 5000 rows', async () => {
    await open('/app/omsetning?vis=mottatt')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/mottatt?')) sent.push(new URL(request.url()).searchParams.get('top') ?? '')
    })
    const { lines } = await download()
    expect(sent.filter((top) => top === '5000')).toHaveLength(Math.ceil(lines.length / 5000))
    expect(lines.length).toBeGreaterThan(200)
  })

  test('a click on a title sorts a complete list, numbers in a text by value', async () => {
    await open('/app/rydde')
    const list = page.getByRole('region', { name: 'Ukjente avdelingskoder' }).last()
    const codes = async () => (await list.locator('tbody th').allTextContents()).filter((code) => code.startsWith('X'))
    const sum = list.getByRole('columnheader', { name: 'Sum' })
    await sum.getByRole('button').press('Enter')
    expect(await sum.getAttribute('aria-sort')).toBe('ascending')
    await expect.poll(async () => (await codes())[0]).toBe('X2')
    await sum.getByRole('button').press('Enter')
    await expect.poll(async () => (await codes()).at(-1)).toBe('X2')
    await list.getByRole('columnheader', { name: 'Kode' }).getByRole('button').press('Enter')
    await expect.poll(codes).toEqual(['X2', 'X9', 'X10'])
  })

  test('columns are chosen by keyboard, stay chosen after a reload, and are reset', async () => {
    await open('/app/register?liste=Ansatt')
    const all = await titles()
    await openView()
    await page.getByRole('checkbox', { name: 'E-post' }).press('Space')
    const fewer = all.filter((title) => title !== 'E-post')
    await expect.poll(titles).toEqual(fewer)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Visning')
    expect((await download()).lines[0]).not.toContain('E-post')
    await page.reload()
    await expect.poll(titles).toEqual(fewer)
    // Another list has a choice of its own.
    await page.goto('/app/administrasjon?vis=personer')
    await expect.poll(titles).toContain('E-post')
    await page.goto('/app/register?liste=Ansatt')
    await openView()
    await page.getByRole('button', { name: 'Standardvisning' }).press('Enter')
    await expect.poll(titles).toEqual(all)
  })

  test('a person has the names of the departments that the person approves', async () => {
    await open('/app/administrasjon?vis=personer')
    await page.getByRole('row').filter({ hasText: 'leder@test.example' }).getByRole('button', { name: 'Endre' }).click()
    for (const name of ['Jernvare', 'Kafé']) await page.getByRole('dialog').getByText(name, { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lagre' }).click()
    await page.waitForSelector('tr:has-text("leder@test.example") td:text-is("Jernvare, Kafé")')
    expect((await download()).lines.join()).toContain('Jernvare, Kafé')
  })

  test('a column that is left out at first is shown when chosen', async () => {
    await open('/app/administrasjon')
    expect(await titles()).not.toContain('Type')
    await openView()
    await page.getByRole('checkbox', { name: 'Type' }).press('Space')
    await expect.poll(titles).toContain('Type')
    expect((await download()).lines[0]).toContain('Integrasjon;Type;')
  })

  test('a long list is searched in what it shows, and says when nothing matches', async () => {
    for (let index = 0; index < 21; index++)
      await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterListe', [
        { Dato: '2026-11-10', AvdelingID: `LANG${index}`, Omsetning: index },
      ])
    await open('/app/rydde')
    const list = page.getByRole('region', { name: 'Ukjente avdelingskoder' }).first()
    const search = list.getByRole('searchbox', { name: 'Søk i listen' })
    await search.fill('lang1')
    await expect.poll(() => list.locator('tbody tr').count()).toBe(11)
    await search.fill('finnes ikke')
    await list.getByRole('button', { name: 'Nullstill filteret' }).click()
    await expect.poll(() => list.locator('tbody tr').count()).toBeGreaterThan(20)
  })

  test('the search matches the columns that are shown, and no others', async () => {
    for (let index = 0; index < 21; index++)
      await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterListe', [
        { Dato: '2026-11-10', AvdelingID: `SKJULT${index}`, Omsetning: index },
      ])
    await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterListe', [
      { Dato: '2026-11-03', AvdelingID: 'SKJULT0', Omsetning: 1 },
    ])
    await open('/app/rydde')
    const list = page.getByRole('region', { name: 'Ukjente avdelingskoder' }).first()
    const rows = list.locator('tbody tr')
    await list.getByRole('searchbox', { name: 'Søk i listen' }).fill('tir. 3. nov')
    await expect.poll(() => rows.count()).toBe(1)
    await openView()
    const first = page.getByRole('checkbox', { name: 'Første' })
    await first.press('Space')
    await expect.poll(() => rows.count()).toBe(0)
    await first.press('Space')
    await expect.poll(() => rows.count()).toBe(1)
  })

  test('the file of received revenue has department codes and record types, which the list does not show', async () => {
    await browserFixture.call('/dev/Omsetning/Lagre', {
      Dato: '2026-11-10',
      AvdelingID: '20',
      ipType: 'B',
      Omsetning: 7,
    })
    await open('/app/omsetning?vis=mottatt')
    expect(await titles()).not.toContain('Avdelingskode')
    const [head = '', first = ''] = (await download()).lines
    const cells = new Map(head.split(';').map((title, index) => [title, first.split(';')[index]]))
    expect([cells.get('Avdeling'), cells.get('Avdelingskode'), cells.get('Posttype')]).toEqual(['Jernvare', '20', 'B'])
  })

  test('a list of the latest retrievals says that it has no others, and is not sorted', async () => {
    await open('/app/eksport?vis=historikk')
    const retrievals = page.getByRole('region', { name: 'Hentet', exact: true }).first()
    const sortButtons = retrievals.locator('thead button')
    expect(await sortButtons.count()).toBeGreaterThan(0)
    expect(await retrievals.getByText('siste').count()).toBe(0)
    for (let index = 0; index < 50; index++)
      await browserFixture.call(`/prosjekt/TransaksjonsEksport?$filter=Id gt ${index}`)
    await page.reload()
    await retrievals.getByText('Viser de 50 siste.').waitFor()
    expect(await retrievals.locator('tbody tr').count()).toBe(50)
    expect(await sortButtons.count()).toBe(0)
  })

  test('a click on a link or button within a row that opens does not open it, and on any other part does', async () => {
    await open('/app/register?liste=Anlegg')
    const row = page.locator('.list tbody tr').first()
    const cell = row.locator('td').last()
    // None of the lists has both today.
    await cell.evaluate((one) => {
      const link = document.createElement('a')
      const button = document.createElement('button')
      link.textContent = 'Lenke'
      button.append('Knapp', document.createElementNS('http://www.w3.org/2000/svg', 'svg'))
      one.replaceChildren(link, button)
    })
    const isOpen = () => new URL(page.url()).searchParams.has('id')
    for (const selector of ['a', 'button', 'svg']) await cell.locator(selector).click({ position: { x: 1, y: 1 } })
    expect(isOpen()).toBe(false)
    await row
      .locator('td, th')
      .first()
      .click({ position: { x: 2, y: 2 } })
    await expect.poll(isOpen).toBe(true)
  })

  test('of several search fields on a page, a slash goes to the first that can be seen', async () => {
    for (let index = 0; index < 21; index++)
      for (const day of [{}, { Dato: '2026-11-10' }])
        await browserFixture.call('/dev/Omsetning/Lagre', { ...day, AvdelingID: `UTEN${index}`, Omsetning: index })
    await open('/app/rydde')
    const fields = page.locator('.search input')
    await expect.poll(() => fields.count()).toBe(2)
    const focusedAfterSlash = async () => {
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await page.keyboard.press('/')
      return fields.evaluateAll((all) => all.findIndex((one) => one === document.activeElement))
    }
    expect(await focusedAfterSlash()).toBe(0)
    await fields.first().evaluate((field) => field.closest('section')?.style.setProperty('display', 'none'))
    expect(await focusedAfterSlash()).toBe(1)
  })

  test.each(['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg'])(
    'a phone shows the list %s of the directory as cards, sorted in the view',
    async (list) => {
      await open(`/app/register?liste=${list}`, phone)
      expect(await page.locator('.list thead').isVisible()).toBe(false)
      const card = page.locator('.list tbody tr').first()
      const { width = 0 } = (await card.boundingBox()) ?? {}
      expect(width).toBeGreaterThan(300)
      const first = await card.textContent()
      await openView()
      await page.getByLabel('Sorter etter').selectOption({ label: 'Nr. ↓' })
      await page.waitForURL(/sorter=-Id/)
      await page.keyboard.press('Escape')
      await expect.poll(() => card.textContent()).not.toBe(first)
      await card.locator('.row-open').click()
      await page.waitForSelector('[role=dialog] .fields')
    },
  )

  test.each(oppositeAppearances)('the view is accessible: $theme, $language, $width wide', async (appearance) => {
    await open('/app/register', appearance)
    await page.locator('.list-tools button').first().press('Enter')
    await page.locator('[role=dialog] input[type=checkbox]').first().waitFor()
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await expect.poll(() => getOverflow(page)).toBe(0)
  })
})
