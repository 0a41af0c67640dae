// Delayed replies: a screen shows no zero, and no all-clear, before the reply has come.
import type { Page, Request, Route } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('before the reply has come', () => {
  const browserFixture = useBrowser()
  let page: Page
  beforeAll(async () => {
    page = await browserFixture.open('/app/hjelp')
  })
  beforeEach(() => page.unrouteAll())

  /** Holds requests whose URL contains all of these parts until `release`. */
  const hold = async (...parts: readonly string[]) => {
    const held: Route[] = []
    let isHolding = true
    await page.route(
      ({ href }) => parts.every((part) => href.includes(part)),
      (route) => (isHolding ? void held.push(route) : route.continue()),
    )
    return {
      count: () => held.length,
      release: async () => {
        isHolding = false
        for (const route of held) await route.continue()
      },
    }
  }

  const zeros = () =>
    page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const texts: string[] = []
      while (walker.nextNode() !== null)
        if (walker.currentNode.parentElement?.closest('script, style') === null)
          texts.push(walker.currentNode.textContent ?? '')
      return texts.filter((text) => /(?<![\d.,:])0(?![\d.,:])/.test(text))
    })

  test.each([
    '/app/i-dag',
    '/app/uttak',
    '/app/godkjenning',
    '/app/omsetning',
    '/app/omsetning?tabell=true',
    '/app/omsetning?vis=dager&sammenlign=true',
    '/app/omsetning?vis=kalender',
    '/app/omsetning?vis=mottatt',
    '/app/rydde',
    '/app/eksport',
    '/app/eksport?vis=historikk',
    '/app/eksport?vis=ventetid',
    '/app/register',
    '/app/revisjon',
    '/app/administrasjon',
  ])('%s shows no zero', async (path) => {
    const data = await hold('/app/data/')
    const sets = await hold('/app/les/')
    await page.goto(path)
    await page.waitForSelector('h1')
    await expect.poll(() => data.count() + sets.count()).toBeGreaterThan(0)
    expect(await zeros()).toEqual([])
    await data.release()
    await sets.release()
  })

  test('the page has a frame before its script has loaded', async () => {
    const script = await hold('/app/assets/', '.js')
    await page.goto('/app/i-dag', { waitUntil: 'commit' })
    await page.waitForSelector('.top .brand:has-text("Dagsverk")')
    await page.waitForSelector('.starting .skeleton')
    await expect.poll(script.count).toBeGreaterThan(0)
    await script.release()
    await page.waitForSelector('h1:has-text("I dag")')
    await expect.poll(() => page.locator('.starting').count()).toBe(0)
  })

  test('the approval list is requested with the session, before its code, and needs no other reply', async () => {
    const requested: string[] = []
    const record = (request: Request) => {
      const { pathname } = new URL(request.url())
      if (/^\/app\/(okt|data|les)/.test(pathname)) requested.push(pathname)
    }
    // The screen of the test before may still request something.
    await page.goto('about:blank')
    page.on('request', record)
    const code = await hold('/app/assets/Approvals', '.js')
    const others = [await hold('/app/les/'), await hold('/uttak/antall'), await hold('/uttak/linjer')]
    await page.goto('/app/godkjenning?gruppe=ingen')
    await expect.poll(code.count).toBe(1)
    await expect.poll(() => requested.toSorted()).toEqual(['/app/data/uttak/oversikt', '/app/okt'])
    await code.release()
    await page.waitForSelector('.Queue-line .strong')
    const rowHeight = 36
    const rows = await page.locator('.Queue-row').count()
    expect(rows).toBeGreaterThan(10)
    expect(rows * rowHeight).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
    page.off('request', record)
    for (const one of others) await one.release()
  })

  test('Today shows a dash for ready and booked lines, and says what to do when it is known', async () => {
    const ready = await hold('/app/data/uttak/antall', 'state=approved')
    const booked = await hold('/app/data/eksport')
    const waiting = await hold('/app/data/uttak/antall', 'state=registered')
    await page.goto('/app/i-dag')
    await expect.poll(() => [ready.count(), waiting.count()]).toEqual([1, 1])
    expect(await page.locator('.Today-toDo').allTextContents()).toEqual([])
    await waiting.release()
    const tiles = page.locator('.Today-tiles').first().locator('.Today-tile')
    await page.waitForSelector('.Today-figure')
    await expect
      .poll(async () => (await tiles.allTextContents()).slice(1))
      .toEqual(['Klart for eksport–', 'Bokført siste 30 dager–'])
    await ready.release()
    await booked.release()
    await page.waitForSelector('.Today-tile:text-matches("Klart for eksport[1-9]")')
    await page.waitForSelector('.Today-tile:text-matches("Bokført siste 30 dager[1-9]")')
    await expect
      .poll(() => page.locator('.Today-toDo strong').textContent())
      .toMatch(/^\d+ avvik å se på, \d+ linjer er klare til å godkjennes\.$/)
  })

  test('Today keeps the place of its chart, and offers to load it again where that failed', async () => {
    const sums = await hold('/app/data/omsetning/summer')
    await page.goto('/app/i-dag')
    await expect.poll(sums.count).toBe(2)
    const below = page.locator('h2', { hasText: 'Må ryddes' })
    await below.waitFor()
    const heightOf = async () => (await below.boundingBox())?.y ?? 0
    const loading = await heightOf()
    await sums.release()
    await page.waitForSelector('.chart svg')
    expect(Math.abs((await heightOf()) - loading)).toBeLessThan(24)

    await page.route('**/app/data/omsetning/summer*', (route) => route.abort())
    await page.reload()
    const retry = page.locator('section[aria-labelledby=thirty-days]').getByRole('button', { name: 'Prøv igjen' })
    await retry.waitFor()
    await page.unrouteAll()
    await retry.click()
    await page.waitForSelector('.chart svg')
  })

  test('the approval tabs show a dash as count', async () => {
    const overview = await hold('/app/data/uttak/oversikt')
    await page.goto('/app/godkjenning')
    await page.waitForSelector('.tabs')
    await expect.poll(overview.count).toBeGreaterThan(0)
    await expect.poll(() => page.locator('.tab-count').allTextContents()).toEqual(['–', '–', '–', '–'])
    await overview.release()
    await page.waitForSelector('.tab-count:text-matches("^[1-9]")')
  })

  test('revenue is not compared until last year is loaded', async () => {
    const before = await hold('/app/data/omsetning/summer', 'from=2025')
    const current = page.waitForResponse(
      (one) => one.url().includes('/omsetning/summer') && one.url().includes('from=2026'),
    )
    await page.goto('/app/omsetning')
    await expect.poll(before.count).toBeGreaterThan(0)
    await current
    await page.waitForSelector('.figures .figure')
    expect(await page.locator('.toolbar .summary').allTextContents()).toEqual([])
    await before.release()
    await page.waitForSelector('.summary:text-matches("i fjor [1-9]")')
  })

  test('a project typed before the projects are loaded is found by its name', async () => {
    const projects = await hold('/app/les/Prosjekt')
    await page.goto('/app/uttak')
    await expect.poll(projects.count).toBeGreaterThan(0)
    const field = page.getByRole('combobox', { name: 'Prosjekt' })
    await field.fill('varmepumpe bodø')
    await field.press('Tab')
    await projects.release()
    await expect.poll(() => field.inputValue()).toBe('Varmepumpe Bodø')
  })
})
