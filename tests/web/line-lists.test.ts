// Lists of lines to approve and to export: filters by name, columns of choice, and a file of all lines.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, type Appearance } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { findCutNumbers, findSmallTargets, getOverflow } from './layout-checks.ts'

const phone: Appearance = { theme: 'light', language: 'nb', width: 375 }

/** More than one page of a file. */
const waitingCount = 2_100
const approvedCount = 1_050

describe.runIf(isAvailable('chromium'))('lists of lines', () => {
  const browserFixture = useBrowser()
  let page: Page
  beforeAll(async () => {
    const register = async (count: number, project: string): Promise<number[]> => {
      const rows = Array.from({ length: count }, (_, index) => ({
        Dato: `2026-11-${String((index % 14) + 1).padStart(2, '0')}`,
        ProsjektId: project,
        VareId: `V${index}`,
        Antall: 1.5,
        Enhet: 'stk',
        Salgspris: index + 0.5,
        Kilde: 'fil',
        Merknad: '=1+1',
      }))
      const { resultater } = await browserFixture.call('/prosjekt/Transaksjon/Batch', rows)
      return resultater.map(({ id }: { id: number }) => id)
    }
    await register(waitingCount, 'P001')
    const ids = await register(approvedCount, 'P002')
    await browserFixture.call('/prosjekt/Transaksjon/Godkjenn', { ids })
  })

  const approvals = '/app/godkjenning?gruppe=ingen&kilde=fil'
  const lists = [
    { name: 'the approvals', path: approvals, row: '.Queue-line', title: '.Queue-head [role=columnheader]' },
    { name: 'the export', path: '/app/eksport', row: '.list tbody tr', title: '.list thead th' },
  ] as const

  const open = async (path: string, appearance?: Appearance) => {
    page = await browserFixture.open(path, appearance)
    await page.locator('.Queue-line, .list tbody tr').first().waitFor()
  }

  /** The lines of the file, each by the titles of its columns. */
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Last ned listen som CSV' }).press('Enter'),
    ])
    const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).slice(1).split('\r\n')
    const titles = head.split(';')
    const rows = lines.map((line) => new Map(line.split(';').map((cell, index) => [titles[index] ?? '', cell])))
    return { name: file.suggestedFilename(), titles, rows }
  }

  /** Opens the view by keyboard; returns its checkboxes. */
  const openView = async (): Promise<Locator> => {
    const view = page.locator('.list-tools button').first()
    await view.scrollIntoViewIfNeeded()
    await view.press('Enter')
    const boxes = page.locator('.column-menu input[type=checkbox]')
    await boxes.first().waitFor()
    return boxes
  }

  const columnOf = (rows: readonly ReadonlyMap<string, string>[], title: string) => rows.map((row) => row.get(title))

  test('the approvals of a project are found by its name, with or without its code', async () => {
    await open('/app/godkjenning?prosjekt=P003')
    const field = page.getByRole('combobox', { name: 'Prosjekt', exact: true })
    for (const typed of ['Uteområde Tromsø', 'Uteområde Tromsø P001', 'P001 uteområde tromsø', 'p001']) {
      await field.fill(typed)
      await field.press('Enter')
      await page.waitForURL(/prosjekt=P001/)
      await expect.poll(() => field.inputValue()).toBe('P001')
      await page.waitForSelector('.Queue-groupHead:has-text("Uteområde Tromsø")')
      await field.fill('P003')
      await page.waitForURL(/prosjekt=P003/)
    }
    await field.fill('Varmepumpe Stavanger')
    await field.press('Enter')
    await page.getByText('Flere i registeret heter «Varmepumpe Stavanger». Velg fra listen.').waitFor()
    expect(await findAccessibilityProblems(page)).toEqual([])
    await page.goto('/app/godkjenning?prosjekt=uteomr%C3%A5de%20troms%C3%B8')
    await page.waitForURL(/prosjekt=P001/)
  })

  test('the file of the approvals has every line once in the order of the list, with codes that are not shown', async () => {
    await open(`${approvals}&sorter=-belop`)
    const { name, titles, rows } = await download()
    expect(name).toBe('godkjenning_TEST.csv')
    expect(titles).toEqual(
      expect.arrayContaining([
        'Linje',
        'Prosjekt',
        'Prosjektnr.',
        'Avdelingskode',
        'Vare',
        'Varenr.',
        'Enhet',
        'Merknad',
      ]),
    )
    expect(rows).toHaveLength(waitingCount)
    expect(new Set(columnOf(rows, 'Linje')).size).toBe(waitingCount)
    expect(columnOf(rows, 'Varenr.')).toEqual(
      Array.from({ length: waitingCount }, (_, index) => `V${waitingCount - 1 - index}`),
    )
    const last = rows.at(-1)
    expect([last?.get('Dato'), last?.get('Antall'), last?.get('Beløp'), last?.get('Merknad')]).toEqual([
      '2026-11-01',
      '1,5',
      '0,75',
      `"'=1+1"`,
    ])
  })

  test('the file of grouped approvals has the lines group by group, each by date', async () => {
    await open('/app/godkjenning?gruppe=prosjekt')
    const { rows } = await download()
    const groups = await page.evaluate(async () => {
      const reply = await fetch('/app/data/uttak/oversikt?state=registered&group=project')
      const { groups } = (await reply.json()) as { groups: { key: string; count: number }[] }
      return groups.flatMap(({ key, count }) => Array<string>(count).fill(key))
    })
    expect(columnOf(rows, 'Prosjektnr.')).toEqual(groups)
    const days = columnOf(
      rows.filter((row) => row.get('Prosjektnr.') === 'P001'),
      'Dato',
    )
    expect(days).toEqual(days.toSorted((one = '', other = '') => one.localeCompare(other)))
  })

  test('the file of exceptions has the lines that the list shows', async () => {
    await open('/app/godkjenning?avvik=true')
    const shown = await page.locator('.Queue-line').count()
    expect((await download()).rows).toHaveLength(shown)
  })

  test('the file of the export has every line of the list, not only the page, in the order of the list', async () => {
    await open('/app/eksport?sok=V1&sorter=belop')
    expect(await page.locator('.list tbody tr').count()).toBeLessThanOrEqual(100)
    const { name, titles, rows } = await download()
    expect(name).toBe('eksportlinjer_TEST.csv')
    expect(titles).toEqual(expect.arrayContaining(['Prosjektnr.', 'Varenr.', 'Enhet', 'Type', 'Status']))
    const found = Array.from({ length: approvedCount }, (_, index) => `V${index}`).filter((id) => id.startsWith('V1'))
    expect(columnOf(rows, 'Varenr.')).toEqual(found)
    expect(new Set(columnOf(rows, 'Type'))).toEqual(new Set(['Original']))
    await open('/app/eksport')
    expect(await page.locator('.list tbody tr').count()).toBe(100)
    expect((await download()).rows.length).toBeGreaterThan(approvedCount)
  })

  test('the file of a retrieval has all its lines, not only the page that is shown', async () => {
    const { value } = await browserFixture.call('/prosjekt/TransaksjonsEksport')
    await open('/app/eksport?vis=historikk')
    await page.locator('.list .row-open').first().press('Enter')
    await page.locator('[role=dialog] .related td').first().waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Last ned CSV' }).press('Enter'),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(value.length).toBeGreaterThan(1000)
    expect(lines).toHaveLength(value.length + 1)
  })

  test.each(lists)('$name: columns are chosen by keyboard, stay chosen after a reload, and are reset', async (list) => {
    await open(list.path)
    const titles = async () =>
      (await page.locator(list.title).allTextContents()).filter((title) => title !== '' && title !== 'Merk')
    const all = await titles()
    expect(all).toContain('Beløp')
    expect(all).not.toContain('Enhet')
    await openView()
    await page.getByRole('checkbox', { name: 'Enhet' }).press('Space')
    await page.getByRole('checkbox', { name: 'Dato' }).press('Space')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Visning')
    const chosen = all.filter((title) => title !== 'Dato')
    chosen.splice(chosen.indexOf('Antall') + 1, 0, 'Enhet')
    await expect.poll(titles).toEqual(chosen)
    expect((await download()).titles).not.toContain('Dato')
    await page.reload()
    await expect.poll(titles).toEqual(chosen)
    // The other list has a choice of its own.
    await page.goto(lists.find((one) => one !== list)?.path ?? '')
    await page.locator('.list-tools').waitFor()
    await expect.poll(() => page.locator('[role=columnheader]').allTextContents()).not.toContain('Enhet')
    await page.goto(list.path)
    await openView()
    await page.getByRole('button', { name: 'Standardvisning' }).press('Enter')
    await expect.poll(titles).toEqual(all)
  })

  test.each(lists)('$name: a phone shows chosen columns on each card, and sorts in the view', async ({ path, row }) => {
    await open(path, phone)
    const card = page.locator(row).first()
    const { height = 0 } = (await card.boundingBox()) ?? {}
    await openView()
    await page.getByRole('checkbox', { name: 'Enhet' }).check()
    await page.getByLabel('Sorter etter').selectOption({ label: 'Beløp ↓' })
    await page.waitForURL(/sorter=-belop/)
    await page.keyboard.press('Escape')
    await expect
      .poll(() => card.getByText('Enhet', { exact: true }).or(card.locator('[data-title=Enhet]')).count())
      .toBe(1)
    await expect.poll(async () => ((await card.boundingBox())?.height ?? 0) > height).toBe(true)
    const cards = await page.locator(row).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    for (const [index, { top }] of cards.slice(1).entries())
      expect(top).toBeGreaterThanOrEqual(cards[index]?.bottom ?? 0)
    await expect.poll(() => page.evaluate(findSmallTargets)).toEqual([])
  })

  test.each(lists)('$name: with every column chosen no number is cut at any width', async ({ path }) => {
    await open(path)
    const boxes = await openView()
    for (const box of await boxes.all()) await box.check()
    await page.keyboard.press('Escape')
    await page.locator('.column-menu').waitFor({ state: 'detached' })
    for (const width of [1280, 820, 375]) {
      await page.setViewportSize({ width, height: 860 })
      // Cards are drawn shortly after a resize.
      await expect.poll(() => page.locator('thead, .Queue-head').isVisible()).toBe(width === 1280)
      await expect.poll(() => page.evaluate(findCutNumbers), { message: `${width} wide` }).toEqual([])
      await expect.poll(() => getOverflow(page), { message: `${width} wide` }).toBe(0)
    }
  })

  const appearances = lists.flatMap((list) => oppositeAppearances.map((appearance) => ({ ...list, ...appearance })))

  test.each(appearances)('$name: the view is accessible: $theme, $language, $width wide', async (one) => {
    await open(one.path, one)
    await openView()
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await expect.poll(() => getOverflow(page)).toBe(0)
  })
})
