// Names of 60 characters without a space: no screen scrolls sideways, and none hides a number behind them.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { administrator, follow, signIn } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { findCutNumbers, getOverflow } from './layout-checks.ts'

const name = 'Byggevareavdelingen'.repeat(4).slice(0, 60)

describe.runIf(isAvailable('chromium'))('with long names', () => {
  const browserFixture = useBrowser()
  let page: Page
  beforeAll(async () => {
    page = await browserFixture.newPage()
    await browserFixture.call('/odata/Avdeling', { Id: 'LANG', Navn: name })
    await browserFixture.call('/odata/Ansatt', { Id: 9001, Fornavn: name, Etternavn: name, AvdelingId: 'LANG' })
    await browserFixture.call('/odata/Prosjekt', { Id: 'PLANG', Navn: name, AvdelingId: 'LANG' })
    const line = {
      Dato: '2026-11-12',
      ProsjektId: 'PLANG',
      AvdelingId: 'LANG',
      AnsattId: 9001,
      Antall: 12.5,
      Salgspris: 1234.5,
      Varenavn: name,
    }
    const { resultater } = await browserFixture.call('/prosjekt/Transaksjon/Batch', [line, { ...line, Antall: 13 }])
    await browserFixture.call('/prosjekt/Transaksjon/Godkjenn', { ids: [resultater[1].id] })
    await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', [
      { Dato: '2026-11-12', AvdelingID: 'LANG', Omsetning: 1_234_567.5 },
    ])
    await signIn(page, '/app/hjelp', administrator)
  })

  test.each([
    ['Today', '/app/i-dag', 'table'],
    ['the approvals', '/app/godkjenning?prosjekt=PLANG', '.Queue-line .number'],
    ['an open line', '/app/godkjenning?prosjekt=PLANG&linje=301', '.history li'],
    ['material entry', '/app/uttak', '.MaterialEntry-form'],
    ['the export', '/app/eksport?linje=302', '.history li'],
    ['the revenue', '/app/omsetning', '.chart svg'],
    ['the revenue as a table', '/app/omsetning?tabell=true', '.table-scroll td'],
    ['the revenue by day', '/app/omsetning?vis=dager&sammenlign=true', '.GridTable-compared small'],
    ['the revenue received', '/app/omsetning?vis=mottatt', '.feed .table-scroll td'],
    ['the employees', '/app/register', '.list td'],
    ['a project', '/app/register?liste=Prosjekt&id=PLANG', '.fields dd'],
  ])('%s does not scroll sideways at any width, and clips no number', async (_, path, ready) => {
    await follow(page, path)
    for (const width of [375, 820, 1024, 1280]) {
      await page.setViewportSize({ width, height: 860 })
      await page.waitForSelector(ready)
      await expect.poll(() => getOverflow(page), { message: `${width} wide` }).toBe(0)
      await expect.poll(() => page.evaluate(findCutNumbers), { message: `${width} wide` }).toEqual([])
    }
  })

  test.each([
    ['/app/i-dag', '.trends'],
    ['/app/omsetning?vis=dager', '.GridTable-grid'],
  ])('on %s the numbers are in view beside the names, 1280 wide', async (path, table) => {
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.goto(path)
    await page.waitForSelector(`${table} td`)
    await expect.poll(() => page.locator(table).evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
  })
})
