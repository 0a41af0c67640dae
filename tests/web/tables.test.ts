// Tables on a phone: every row is a card, so that no cell is out of view.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { useBrowser } from './browser-fixture.ts'

const phone = { theme: 'light', language: 'nb', width: 375 } as const

describe.runIf(isAvailable('chromium'))('tables on a phone', () => {
  const browserFixture = useBrowser()
  let page: Page
  beforeAll(async () => {
    await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterListe', [
      {
        Dato: '2026-11-10',
        AvdelingID: 'FEIL',
        Omsetning: 99_999_999.99,
        Merknad: 'x'.repeat(60),
      },
      { Dato: '2026-11-11', AvdelingID: '20', Omsetning: 99_999_999.99 },
    ])
  })

  /** Cells that are cut off at the right, however far the page is scrolled down. */
  const findCutCells = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.cards tbody :is(td, th)')]
        .filter((cell) => cell.checkVisibility())
        .filter((cell) => {
          const text = document.createRange()
          text.selectNodeContents(cell)
          const { left, right } = text.getBoundingClientRect()
          return left < 0 || right > window.innerWidth
        })
        .map((cell) => cell.outerHTML.slice(0, 200)),
    )

  test.each([
    ['data quality', '/app/rydde', '.cards a'],
    ['export lines', '/app/eksport', '.cards td'],
    ['exported lines', '/app/eksport?liste=ute', '.cards td'],
    ['the export history', '/app/eksport?vis=historikk', '.cards td'],
    ['a retrieval', '/app/eksport?uthenting=6', '.related .cards td'],
    ['received revenue', '/app/omsetning?vis=mottatt', '.cards td'],
    ['the audit', '/app/revisjon', '.cards td.strong'],
  ])('%s: no cell is cut off, and each says what it is', async (_, path, ready) => {
    page = await browserFixture.open(path, phone)
    await page.waitForSelector(ready)
    await expect.poll(findCutCells).toEqual([])
  })
})
