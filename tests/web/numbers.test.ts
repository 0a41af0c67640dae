// Large numbers: no screen clips one or scrolls sideways, at any width.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { follow, signIn } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { findBadgeOverlaps, findCutNumbers, getOverflow } from './layout-checks.ts'

const widths = [375, 820, 1024, 1280, 1920]

const usage = {
  Dato: '2026-11-12',
  ProsjektId: 'P003',
  Antall: 1,
  Varenavn: 'Prefabrikkert trapp med rekkverk og håndløper i eik',
  Enhet: 'stk',
}

const large = [
  { Salgspris: 99_999_999.99 },
  { Salgspris: -99_999_999.99 },
  { Salgspris: 83_298.63, Antall: 1200.5 },
  { Salgspris: 12_345_678.25, Antall: 1200.5, AnsattId: 1, Enhet: 'kvadratmeter' },
  { Salgspris: null, Antall: 12_345_678.1234 },
]

describe.runIf(isAvailable('chromium'))('with large numbers', () => {
  const browserFixture = useBrowser()
  const post = browserFixture.call
  let page: Page
  beforeAll(async () => {
    page = await browserFixture.newPage()
    await post(
      '/prosjekt/Transaksjon/Batch',
      large.map((one) => ({ ...usage, ...one })),
    )
    const { resultater } = await post('/prosjekt/Transaksjon/Batch', [{ ...usage, ...large[0] }])
    await post('/prosjekt/Transaksjon/Godkjenn', { ids: [resultater[0].id] })
    await post(
      '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
      ['2026-11-12', '2026-11-13', '2026-11-15', '2025-11-13'].map((Dato) => ({
        Dato,
        AvdelingID: '20',
        Omsetning: 99_999_999.99,
      })),
    )
    // A month whose sum has ten digits, which the labels of the chart show.
    await post(
      '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
      Array.from({ length: 60 }, (_, index) => ({
        Dato: `2026-09-${String((index % 30) + 1).padStart(2, '0')}`,
        AvdelingID: index < 30 ? '10' : '20',
        Omsetning: 99_999_999.99,
      })),
    )
    await signIn(page)
  })

  test.each([
    ['today', '/app/i-dag', '.Today-figure'],
    ['the approvals', '/app/godkjenning?gruppe=ingen&fra=2026-11-12', '.Queue-line .number'],
    ['the approvals by project', '/app/godkjenning?prosjekt=P003', '.Queue-line .number'],
    ['the approvals in groups', '/app/godkjenning', '.Queue-line .number, .GroupSummaries-card'],
    ['ticked lines', '/app/godkjenning?prosjekt=P003&merket=true', '.action-count'],
    ['an open line', '/app/godkjenning?gruppe=ingen&fra=2026-11-12&linje=300', '.history li'],
    ['what is approved', '/app/godkjenning?liste=godkjent&gruppe=dag', '.Queue-line .number'],
    ['the export', '/app/eksport', '.page-section td'],
    ['the revenue', '/app/omsetning', '.chart svg'],
    ['the revenue by month', '/app/omsetning?per=maned', '.chart svg'],
    ['the revenue as a table', '/app/omsetning?per=uke&tabell=true', '.table-scroll td'],
    ['the revenue by day', '/app/omsetning?vis=dager', '.GridTable-cell'],
    ['the revenue compared', '/app/omsetning?vis=dager&sammenlign=true', '.GridTable-compared small'],
    ['the revenue received', '/app/omsetning?vis=mottatt', '.feed .table-scroll td'],
  ])('%s clips no number at any width, and does not scroll sideways', async (_, path, ready) => {
    await follow(page, path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 })
      await page.waitForSelector(ready)
      // Charts and cards are redrawn shortly after a resize.
      await expect.poll(() => page.evaluate(findCutNumbers), { message: `${width} wide` }).toEqual([])
      await expect.poll(() => getOverflow(page), { message: `${width} wide` }).toBe(0)
    }
  })

  test('the sum of what waits is to the øre, and the same, on Today, above the list, in the selection and on the button', async () => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.goto('/app/i-dag')
    const seen = async (selector: string) => {
      const text = await page.locator(selector).first().textContent()
      return /\d[\d\s]*,\d\d/.exec(text ?? '')?.[0].replaceAll(/\s/g, ' ')
    }
    await page.waitForSelector('.Today-note')
    const sum = await seen('.Today-note')
    expect(sum).toMatch(/,\d\d$/)
    await page.goto('/app/godkjenning')
    await page.getByRole('button', { name: /^Merk alle .* som passer/ }).click()
    await page.waitForSelector('.action-count')
    expect([await seen('.summary'), await seen('.action-count'), await seen('.action-bar button')]).toEqual([
      sum,
      sum,
      sum,
    ])
  })

  test('the sum of a group ends where the amounts of its lines do, with columns beside them and without', async () => {
    await page.setViewportSize({ width: 1280, height: 860 })
    for (const path of ['/app/godkjenning', '/app/godkjenning?liste=godkjent&gruppe=dag']) {
      await page.goto(path)
      await page.waitForSelector('.Queue-line .strong')
      const ends = await page.locator('.Queue-groupSum strong, .Queue-line .strong').evaluateAll((amounts) =>
        amounts.map((one) => {
          const text = document.createRange()
          text.selectNodeContents(one)
          return Math.round(text.getBoundingClientRect().right)
        }),
      )
      expect([path, [...new Set(ends)]]).toEqual([path, ends.slice(0, 1)])
    }
  })

  test('a week of the grid has every day in view beside last year, 1280 wide', async () => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.goto('/app/omsetning?vis=dager&sammenlign=true&dag=2026-11-12')
    await page.waitForSelector('.GridTable-compared small')
    // A sum that stays in view would cover the end of an amount below it.
    const hidden = () => page.locator('.GridTable-compared').evaluate((grid) => grid.scrollWidth - grid.clientWidth)
    await expect.poll(hidden).toBe(0)
  })

  test.each([
    [375, 'dag=2026-11-12'],
    [820, 'dag=2026-11-12'],
    [820, 'dag=2026-11-05&sammenlign=true'],
    [1024, 'dag=2026-11-05'],
    [1024, 'dag=2026-11-05&sammenlign=true'],
    [1280, 'dag=2026-11-05&spenn=maned'],
    [1280, 'dag=2026-11-05&spenn=maned&sammenlign=true'],
    [1920, 'dag=2026-11-05&spenn=maned&sammenlign=true'],
  ])('the day grid has whole columns in view, wherever it is scrolled to, %i wide, with %s', async (width, query) => {
    await page.setViewportSize({ width, height: 812 })
    await page.goto(`/app/omsetning?vis=dager&${query}`)
    await page.waitForSelector('.GridTable-cell')
    const grid = page.locator('.GridTable-grid')
    if (query.includes('sammenlign')) await page.waitForSelector('.GridTable-compared small')
    const findCut = () =>
      grid.evaluate((element) => {
        const cells = [...element.querySelectorAll('tbody tr:first-child td')]
        const sum = cells.at(-1)
        const isSumInView = sum !== undefined && getComputedStyle(sum).right === '0px'
        const { right } = isSumInView ? { right: sum.getBoundingClientRect().left } : element.getBoundingClientRect()
        const boxes = (isSumInView ? cells.slice(0, -1) : cells).map((one) => one.getBoundingClientRect())
        return boxes.filter((box) => box.left < right - 2 && box.right > right + 2).length
      })
    await expect.poll(findCut).toBe(0)
    for (let times = 0; times < 3; times++) {
      await grid.evaluate((element) => element.scrollBy(70, 0))
      await expect.poll(findCut).toBe(0)
    }
    const isScrolled = () =>
      grid.evaluate(
        ({ scrollLeft, scrollWidth, clientWidth }) => scrollLeft >= Math.min(200, scrollWidth - clientWidth - 1),
      )
    await expect.poll(isScrolled).toBe(true)
  })

  test('the sum of a row covers the amounts below it, also while the mouse is on the row', async () => {
    await page.setViewportSize({ width: 1280, height: 812 })
    await page.goto('/app/omsetning?vis=dager&dag=2026-11-05&spenn=maned')
    await page.waitForSelector('.GridTable-cell')
    const sum = page.locator('tbody .GridTable-last').first()
    await sum.hover()
    await page.waitForSelector('tbody tr:hover')
    const background = await sum.evaluate((cell) => getComputedStyle(cell).backgroundColor)
    expect(background).toMatch(/^rgb\(/)
  })

  test.each([
    ['nb', '99999999,99'],
    ['en', '99999999.99'],
  ] as const)('in %s a figure of the grid is edited as %s', async (language, typed) => {
    const appearance = { theme: 'light', language, width: 1280 } as const
    const shown = await browserFixture.open('/app/omsetning?vis=dager&dag=2026-11-13', appearance)
    await shown.click('tr:has-text("Jernvare") [data-cell$=":4"]')
    expect(await shown.inputValue('.GridTable-editor input')).toBe(typed)
  })

  test.each([
    ['the calendar', 'vis=kalender', '.Calendar-year'],
    ['the table', 'per=uke&tabell=true', '.table-scroll'],
  ])('%s of the revenue has its whole width in view on a phone and a tablet', async (_, query, shown) => {
    await page.goto(`/app/omsetning?${query}`)
    await page.waitForSelector(shown)
    for (const width of [320, 375, 820, 1024, 1280]) {
      await page.setViewportSize({ width, height: 812 })
      const hidden = () => page.locator(shown).evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))
      await expect.poll(async () => Math.max(...(await hidden())), { message: `${width} wide` }).toBe(0)
    }
  })

  test('the day grid of a phone has three columns in view, with sums of seven digits', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/app/omsetning?vis=dager&dag=2026-11-05')
    await page.waitForSelector('.GridTable-cell')
    const inView = () =>
      page.locator('.GridTable-grid').evaluate((grid) => {
        const { right } = grid.getBoundingClientRect()
        const cells = [...grid.querySelectorAll('tfoot td')]
        return cells.filter((cell) => cell.getBoundingClientRect().right <= right + 1).length
      })
    await expect.poll(inView).toBe(3)
    expect(await page.locator('tfoot td').last().textContent()).toMatch(/^\d\s\d{3}\s\d{3}$/)
    // The sums are out of view; they are below the names.
    const sums = page.locator('.GridTable-rowSum')
    await expect.poll(() => sums.last().isVisible()).toBe(true)
    expect(await sums.allTextContents()).toEqual(
      await page.locator(':is(tbody, tfoot) td:last-child').allTextContents(),
    )
  })

  test('figures side by side are level on a phone, also where a label has two lines', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/app/i-dag')
    const topOf = (label: string) =>
      page
        .locator(`a:has-text("${label}") .figure`)
        .evaluate((figure) => Math.round(figure.getBoundingClientRect().top))
    const isLevel = async (one: string, other: string) => (await topOf(one)) === (await topOf(other))
    await expect.poll(() => isLevel('Venter på godkjenning', 'Klart for eksport')).toBe(true)
    await expect.poll(() => isLevel('Omsetning i går', 'Måneden hittil')).toBe(true)
  })

  test('an item name without spaces does not widen a phone screen', async () => {
    await post('/prosjekt/Transaksjon/Batch', [{ ...usage, Varenavn: 'Betongelement'.repeat(13) }])
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/app/uttak')
    await page.waitForSelector('.MaterialEntry-form .MaterialEntry-tile:has-text("BetongelementBetong")')
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  })

  test('more than 1,000 anomalies are all counted, and the list says that it shows the oldest', async () => {
    const seen = (selector: string, hasText: RegExp) => page.locator(selector, { hasText }).waitFor()
    await post(
      '/prosjekt/Transaksjon/Batch',
      Array.from({ length: 1100 }, (_, index) => ({ ...usage, ProsjektId: 'P005', VareId: `X${index}` })),
    )
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/app/godkjenning')
    await seen('.GroupSummaries-card', /1\s1\d\d avvik/)
    await seen('.rail .badge', /^1k/)
    await expect.poll(() => page.evaluate(findBadgeOverlaps)).toEqual([])
    await page.goto('/app/i-dag')
    await seen('.Today-toDo', /1\s1\d\d avvik å se på/)
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.goto('/app/godkjenning?avvik=true')
    await expect.poll(() => page.evaluate(findBadgeOverlaps)).toEqual([])
    await seen('.Queue-anomaliesHead', /1\s1\d\d avvik ?Viser de 1\s000 eldste av 1\s1\d\d/)
    // Selecting all selects the listed lines, not all that wait.
    await page.getByRole('button', { name: /^Merk alle 1\s000 som/ }).click()
    await seen('.action-count', /^1\s000 merket/)
  })

  test('more than 100,000 waiting lines are a short badge, and the most that one decision takes are selected', async () => {
    const count = 100_006
    // As if so many waited: registering them takes too long.
    await page.route('**/uttak/antall?*', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ response: reply, json: { ...(await reply.json()), count } })
    })
    await page.route('**/uttak/oversikt?*', async (route) => {
      const reply = await route.fetch()
      const json = await reply.json()
      await route.fulfill({ response: reply, json: { ...json, groups: [{ ...json.groups[0], count }] } })
    })
    for (const width of [1280, 1024, 820, 375]) {
      await page.setViewportSize({ width, height: 812 })
      await page.goto('/app/godkjenning?gruppe=ingen')
      await page.locator('.rail .badge', { hasText: /^100k/ }).waitFor()
      await expect.poll(() => page.evaluate(findBadgeOverlaps), { message: `${width} wide` }).toEqual([])
      await page.getByRole('button', { name: /^Merk de 100\s000 først registrerte av 100\s006$/ }).waitFor()
    }
    await page.unrouteAll()
  })
})
