// API reference at /docs: makes no request to another host; a trial key can only read.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'
import { findAccessibilityProblems } from './axe.ts'
import { appearances, openBrowser, openContext, signIn } from './browser.ts'

/** Axe rules that the viewer itself violates (ADR 0050). */
const knownViewerProblems: ReadonlySet<string> = new Set([
  'aria-input-field-name',
  'aria-required-attr',
  'button-name',
  'color-contrast',
  'target-size',
])

describe.runIf(isAvailable('chromium'))('API reference at /docs', () => {
  let sandbox: RunningSandbox
  let browser: Browser
  let page: Page
  const requestedUrls: string[] = []
  const consoleErrors: string[] = []
  beforeAll(async () => {
    sandbox = await startSandbox()
    browser = await openBrowser()
  })
  beforeEach(async () => {
    page = await (await openContext(browser, sandbox.address)).newPage()
    requestedUrls.length = 0
    consoleErrors.length = 0
    page.on('request', (request) => requestedUrls.push(request.url()))
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    page.on('pageerror', (error) => consoleErrors.push(error.message))
  })
  afterEach(() => page.context().close())
  afterAll(async () => {
    await browser.close()
    await sandbox.stop()
  })

  const foreignRequests = () =>
    requestedUrls.filter((url) => !url.startsWith(sandbox.address) && !/^(data|blob):/.test(url))

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
      const context = await openContext(browser, sandbox.address, appearance)
      const own = await context.newPage()
      await own.goto('/docs')
      await own.waitForSelector('h1:has-text("Dagsverk")')
      const problems = await findAccessibilityProblems(own)
      const kinds = problems.map((problem) => problem.split(' ')[0] ?? '')
      await context.close()
      expect(kinds.filter((kind) => !knownViewerProblems.has(kind))).toEqual([])
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
    const read = await fetch(`${sandbox.address}/dev/Omsetning/Finn?$top=1`, {
      headers: { 'tb-key': key },
    })
    expect(read.status).toBe(200)
    const write = await fetch(`${sandbox.address}/dev/Omsetning/Lagre`, {
      method: 'POST',
      headers: { 'tb-key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Dato: '2026-11-13', AvdelingID: '20', Omsetning: 1 }),
    })
    expect(write.status).toBe(403)
  })
})
