// Revenue downloads: an Excel workbook, and the chart as PNG.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { readTable } from '../../src/imports/read-table.ts'
import { isAvailable } from '../support/requirements.ts'
import { isDriverMessage } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('revenue downloads', () => {
  const browserFixture = useBrowser()
  let page: Page
  const consoleErrors: string[] = []
  beforeAll(async () => {
    const remark = '=HYPERLINK("http://x")'
    await browserFixture.call('/dev/Omsetning/Lagre', {
      Dato: '2026-11-10',
      AvdelingID: '007',
      Omsetning: -1.25,
      Merknad: remark,
    })
    page = await browserFixture.open('/app/omsetning?fra=2026-11-09&til=2026-11-11')
    await page.waitForSelector('.chart svg')
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !isDriverMessage(message.text()))
        consoleErrors.push(message.text())
    })
  })

  const download = async (name: string): Promise<{ name: string; bytes: Buffer }> => {
    await page.getByRole('button', { name: 'Last ned' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }

  /** Number of colours that fill large areas; antialiased edges are ignored. */
  const coloursIn = (picture: Buffer): Promise<number> =>
    page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const pen = canvas.getContext('2d')
      if (pen === null) return 0
      pen.drawImage(bitmap, 0, 0)
      const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height)
      const counts = new Map<number, number>()
      for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
      return [...counts.values()].filter((count) => count > 300).length
    }, picture.toString('base64'))

  test('Excel workbook: dates are dates, amounts are numbers, and no cell is a formula', async () => {
    const { name, bytes } = await download('Last ned som Excel')
    expect(name).toBe('omsetning_2026-11-09_2026-11-11.xlsx')
    const { headers, lines } = await readTable(bytes, { companyId: 1 as CompanyId })
    expect(headers).toEqual(['Dato', 'AvdelingID', 'ipType', 'Omsetning', 'Merknad', 'InntektsPlanId'])
    const added = lines.find(({ cells }) => cells[3] === '-1.25')
    expect(added?.cells.slice(0, 5)).toEqual(['2026-11-10', '007', 'I', '-1.25', '=HYPERLINK("http://x")'])
    expect(consoleErrors).toEqual([])
  })

  test('PNG of the chart', async () => {
    const { name, bytes } = await download('Last ned diagrammet som PNG')
    expect(name).toBe('omsetning_2026-11-09_2026-11-11.png')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    const shown = await page.locator('figure.chart').boundingBox()
    expect(bytes.readUInt32BE(16)).toBe(Math.round((shown?.width ?? 0) * 2))
    // Background, text, grid, and one colour per department.
    expect(await coloursIn(bytes)).toBeGreaterThan(8)
    expect(consoleErrors).toEqual([])
  })

  test('a file that could not be downloaded is an error, and a week is whole, in the field as in the file', async () => {
    await page.route('**/app/les/Omsetning?*', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Last ned' }).click()
    await page.getByRole('menuitem', { name: 'Last ned CSV' }).click()
    await page.getByRole('alert').filter({ hasText: 'Får ikke kontakt med serveren' }).waitFor()
    await page.unrouteAll()
    await page.goto('/app/omsetning?per=uke&fra=2026-11-11&til=2026-11-22')
    await expect.poll(() => page.getByRole('textbox', { name: 'Fra', exact: true }).inputValue()).toBe('09.11.2026')
    expect((await download('Last ned CSV')).name).toBe('omsetning_2026-11-09_2026-11-22.csv')
  })
})
