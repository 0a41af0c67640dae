// API reference at /docs: makes no request to another host; a trial key can only read.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { appearances, signIn } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

/** Axe rules that the viewer itself violates (ADR 0046). */
const knownViewerProblems: ReadonlySet<string> = new Set([
  'aria-input-field-name',
  'aria-required-attr',
  'button-name',
  'color-contrast',
  'target-size',
])

describe.runIf(isAvailable('chromium'))('API reference at /docs', () => {
  const browserFixture = useBrowser()
  let page: Page
  const requestedUrls: string[] = []
  const consoleErrors: string[] = []
  const openPage = async () => {
    page = await browserFixture.newPage()
    requestedUrls.length = 0
    consoleErrors.length = 0
    page.on('request', (request) => requestedUrls.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(error.message))
  }

  const foreignRequests = () =>
    requestedUrls.filter((url) => !url.startsWith(browserFixture.address) && !/^(data|blob):/.test(url))

  describe('without signing in', () => {
    beforeAll(async () => {
      await openPage()
      await page.goto('/docs')
      await page.waitForSelector('h1:has-text("Dagsverk")')
    })

    test('is public, and makes no request to another host', async () => {
      await page.waitForSelector('text=Find revenue records')
      await page.click('text=Find revenue records')
      await page.waitForSelector('h2:has-text("Find revenue records"), h3:has-text("Find revenue records")')
      expect(foreignRequests()).toEqual([])
      expect(consoleErrors).toEqual([])
    })

    test('has the look of the app, of which it loads no other code', async () => {
      const look = (selector: string) =>
        page.locator(selector).evaluate((one) => {
          const { backgroundColor, fontFamily } = getComputedStyle(one)
          return [backgroundColor, fontFamily.includes('Figtree')]
        })
      const [header, title] = [await look('body > header'), await look('h1')]
      expect(requestedUrls.filter((url) => /frame-|libraries-/.test(url))).toEqual([])
      await signIn(page, '/app/hjelp')
      expect(header).toEqual(await look('.rail'))
      expect(title[1]).toBe(true)
    })
  })

  test.each(appearances.filter(({ language }) => language === 'en'))(
    'has no accessibility problems but known ones of the viewer: $theme, $width wide',
    async (appearance) => {
      const own = await browserFixture.newPage(appearance)
      await own.goto('/docs')
      await own.waitForSelector('h1:has-text("Dagsverk")')
      const unknownKinds = async () =>
        (await findAccessibilityProblems(own))
          .map((problem) => problem.split(' ')[0] ?? '')
          .filter((kind) => !knownViewerProblems.has(kind))
      await expect.poll(unknownKinds).toEqual([])
    },
  )

  test('the first request that a signed-in reader sends gets a read-only key; a visit creates none', async () => {
    await openPage()
    await signIn(page, '/app/hjelp')
    consoleErrors.length = 0
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/dev/Omsetning/Finn')) keys.push(request.headers()['tb-key'])
    })
    const keyRequests = () => requestedUrls.filter((url) => url.endsWith('/dokumentasjon/nokkel'))
    await page.goto('/docs')
    await page.click('text=Find revenue records')
    await page.click('button:has-text("Test Request")')
    const send = page
      .getByRole('button')
      .filter({ hasText: /^\s*Send/ })
      .last()
    await send.waitFor()
    expect(keyRequests()).toEqual([])
    for (const _ of [1, 2]) {
      const answered = page.waitForResponse('**/dev/Omsetning/Finn')
      await send.click()
      expect((await answered).status()).toBe(200)
    }
    const [key = '', again] = keys
    expect([again, keyRequests().length]).toEqual([key, 1])
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect(stored).not.toContain(key)
    expect([foreignRequests(), consoleErrors]).toEqual([[], []])
    expect(requestedUrls.filter((url) => url.includes(key))).toEqual([])
    const read = await fetch(`${browserFixture.address}/dev/Omsetning/Finn?$top=1`, { headers: { 'tb-key': key } })
    expect(read.status).toBe(200)
    const write = await fetch(`${browserFixture.address}/dev/Omsetning/Lagre`, {
      method: 'POST',
      headers: { 'tb-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Dato: '2026-11-13', AvdelingID: '20', Omsetning: 1 }),
    })
    expect(write.status).toBe(403)
  })
})
