// API reference at /docs: makes no request to another host; a trial key can only read.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { appearances, signIn } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

/** Axe rules that the viewer itself violates (ADR 0050). */
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
  beforeEach(async () => {
    page = await browserFixture.newPage()
    requestedUrls.length = 0
    consoleErrors.length = 0
    page.on('request', (request) => requestedUrls.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(error.message))
  })

  const foreignRequests = () =>
    requestedUrls.filter(
      (url) => !url.startsWith(browserFixture.address) && !/^(data|blob):/.test(url),
    )

  test('is public, and makes no request to another host', async () => {
    await page.goto('/docs')
    await page.waitForSelector('h1:has-text("Dagsverk")')
    await page.waitForSelector('text=Find revenue records')
    await page.click('text=Find revenue records')
    await page.waitForSelector(
      'h2:has-text("Find revenue records"), h3:has-text("Find revenue records")',
    )
    expect(foreignRequests()).toEqual([])
    // The browser logs the 401 of an anonymous visitor as an error.
    expect(consoleErrors.filter((text) => !text.includes('401'))).toEqual([])
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

  test('signed-in users get a read-only key, which is never sent in a URL', async () => {
    await signIn(page, '/app/hjelp')
    consoleErrors.length = 0
    const making = page.waitForResponse('**/app/data/dokumentasjon/nokkel')
    await page.goto('/docs')
    const { key } = (await (await making).json()) as { key: string }
    await page.waitForSelector('text=Find revenue records')
    await page.waitForFunction(
      (value) => [...document.querySelectorAll('input')].some((input) => input.value === value),
      key,
    )
    expect([foreignRequests(), consoleErrors]).toEqual([[], []])
    expect(requestedUrls.filter((url) => url.includes(key))).toEqual([])
    const read = await fetch(`${browserFixture.address}/dev/Omsetning/Finn?$top=1`, {
      headers: { 'tb-key': key },
    })
    expect(read.status).toBe(200)
    const write = await fetch(`${browserFixture.address}/dev/Omsetning/Lagre`, {
      method: 'POST',
      headers: { 'tb-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Dato: '2026-11-13', AvdelingID: '20', Omsetning: 1 }),
    })
    expect(write.status).toBe(403)
  })
})
