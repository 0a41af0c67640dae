// Comparison with last year: one rule per period, and one colour per department, on every view of revenue.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { addDays, getMonday } from '../../web/api/days.ts'
import { createFormatter } from '../../web/api/format.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('revenue compared with last year', () => {
  const browserFixture = useBrowser()
  let page: Page

  const textOf = async (selector: string) =>
    ((await page.locator(selector).first().textContent()) ?? '').replaceAll(/\s/g, ' ')

  test.each(['Forrige måned', 'Måneden hittil', 'Året hittil'])(
    'the key figure «%s» says the same as the chart that it opens',
    async (name) => {
      page = await browserFixture.open('/app/omsetning')
      const figure = `.figures > div:has-text("${name}")`
      await page.waitForSelector(`${figure} .figure-note:has-text("samme datoer i fjor")`)
      const amount = await textOf(`${figure} .figure`)
      const note = await textOf(`${figure} .figure-note`)
      const [, share, before] = /^(.*%)mot (.+)samme datoer i fjor$/.exec(note) ?? []
      expect(before, note).toBeDefined()
      await page.locator(figure).getByRole('link').click()
      await expect
        .poll(() => textOf('.summary:has-text("Sum")'))
        .toBe(`Sum ${amount}, samme datoer i fjor ${before} (${share}).`)
    },
  )

  test('a month of the grid is compared by dates, as its key figure, and a week by weekdays', async () => {
    page = await browserFixture.open('/app/omsetning')
    const note = '.figures > div:has-text("Forrige måned") .figure-note'
    await page.waitForSelector(`${note}:has-text("samme datoer i fjor")`)
    const before = /mot (.+)samme datoer i fjor$/.exec(await textOf(note))?.[1]
    await page.goto('/app/omsetning?vis=dager&spenn=maned&dag=2026-10-15&sammenlign=true')
    await page.waitForSelector('.GridTable-compared tfoot .GridTable-last small')
    await expect.poll(() => textOf('tfoot .GridTable-last small .muted')).toBe(before)
    await page.waitForSelector('label:has-text("Sammenlign med samme datoer i fjor")')
    await page.locator('.mantine-SegmentedControl-label:has-text("Uke")').first().click()
    await page.waitForSelector('label:has-text("Sammenlign med samme ukedager i fjor")')
  })

  test('the key figures are above the chart alone: days, calendar and received begin with their own content', async () => {
    page = await browserFixture.open('/app/omsetning')
    await page.waitForSelector('.figures .figure-note')
    for (const [view, ready] of [
      ['dager', '.GridTable-cell'],
      ['kalender', '.Calendar-square'],
      ['mottatt', '.feed .table-scroll td'],
    ] as const) {
      await page.goto(`/app/omsetning?vis=${view}`)
      await page.waitForSelector(ready)
      expect([view, await page.locator('.figures').count()]).toEqual([view, 0])
    }
  })

  test('a department has the same colour in every period, and when it is shown alone', async () => {
    page = await browserFixture.open('/app/omsetning')
    const colours = async (query: string) => {
      await page.goto(`/app/omsetning${query}`)
      await page.waitForSelector('.legend rect')
      const names = page.locator('.legend a')
      const fills = names.locator('rect')
      return new Map(
        await Promise.all(
          (await names.allTextContents()).map(
            async (name, at) => [name, await fills.nth(at).getAttribute('fill')] as const,
          ),
        ),
      )
    }
    const usual = await colours('')
    expect(new Set(usual.values()).size).toBe(usual.size)
    for (const query of ['?per=uke', '?per=maned', '?fra=2026-11-14&til=2026-11-14', '?avd=20'])
      for (const [name, colour] of await colours(query))
        expect([query, name, colour]).toEqual([query, name, usual.get(name)])
  })
  test('a click on a bar opens its day, or the days of its week', async () => {
    page = await browserFixture.open('/app/omsetning')
    const bar = page.locator('.recharts-bar').last().locator('path').nth(4)
    await bar.hover()
    const day = await textOf('.chart-tooltip strong')
    await bar.click()
    await page.waitForSelector('.GridTable-cell')
    const params = () => new URL(page.url()).searchParams
    expect(createFormatter('nb', 'UTC').day(params().get('dag') ?? '')).toBe(day)
    await page.goto('/app/omsetning?per=uke')
    await page.locator('.recharts-bar').last().locator('path').nth(2).click()
    await expect.poll(() => params().get('per')).toBe('dag')
    const [from, to] = [params().get('fra') ?? '', params().get('til') ?? '']
    expect([getMonday(from), addDays(from, 6)]).toEqual([from, to])
    await page.goto('/app/omsetning?tabell=true&per=uke')
    await page.locator('tbody th a').nth(3).click()
    await expect.poll(() => params().get('per')).toBe('dag')
  })

  test('the calendar colours a day by what is usual for its weekday', async () => {
    const large = { Dato: '2026-11-11', AvdelingID: '20', Omsetning: 5_000_000 }
    await browserFixture.call('/dev/Omsetning/Lagre', large)
    page = await browserFixture.open('/app/omsetning?vis=kalender')
    const stepsOf = (label: string) =>
      page
        .locator(`.Calendar-square[aria-label^="${label}"]`)
        .evaluateAll((squares) => squares.flatMap((one) => one.getAttribute('data-step') ?? []))
    await expect.poll(async () => (await stepsOf('ons. 11. nov.')).includes('4')).toBe(true)
    // Sundays are weak, and Saturdays strong, which is usual.
    for (const weekday of ['søn.', 'lør.']) {
      const steps = await stepsOf(weekday)
      expect([weekday, steps.toSorted()[Math.floor(steps.length / 2)]]).toEqual([weekday, '2'])
    }
  })

  test('the legend shows one department alone, and then all again', async () => {
    page = await browserFixture.open('/app/omsetning')
    const names = page.locator('.legend a')
    await names.nth(1).waitFor()
    const all = await names.allTextContents()
    await names.nth(1).click()
    await expect.poll(() => names.allTextContents()).toEqual([all[1]])
    await names.first().click()
    await expect.poll(() => names.allTextContents()).toEqual(all)
  })
})
