// Every screen in every theme, language and width: accessible, no errors, no horizontal scroll.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'
import { findAccessibilityProblems } from './axe.ts'
import {
  administrator,
  isDriverMessage,
  appearances,
  openBrowser,
  openContext,
  signIn,
} from './browser.ts'
import { findHiddenWhenFocused, findSmallTargets } from './layout-checks.ts'
import { administratorScreens, screens } from './screens.ts'

describe.runIf(isAvailable('chromium'))('every screen', () => {
  let sandbox: RunningSandbox
  let browser: Browser
  beforeAll(async () => {
    sandbox = await startSandbox()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await sandbox.stop()
  })

  describe.each(appearances)('$theme, $language, $width wide', (appearance) => {
    let context: BrowserContext
    let page: Page
    const consoleErrors: string[] = []
    const notFoundTitle =
      appearance.language === 'nb' ? 'Siden finnes ikke' : 'There is no such page'
    beforeAll(async () => {
      context = await openContext(browser, sandbox.address, appearance)
      page = await context.newPage()
      page.on('request', (request) => {
        if (!request.url().startsWith(sandbox.address) && !request.url().startsWith('data:'))
          consoleErrors.push(`asked ${request.url()}`)
      })
      // CSP violations and uncaught errors appear here.
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isDriverMessage(message.text()))
          consoleErrors.push(message.text())
      })
      page.on('pageerror', (error) => consoleErrors.push(error.message))
    })
    afterAll(() => context.close())

    const overflow = () =>
      page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))

    const inspect = async () => ({
      problems: await findAccessibilityProblems(page),
      overflow: await overflow(),
      consoleErrors: consoleErrors.splice(0),
    })

    /** WCAG 1.4.10 (reflow), 2.4.11 (focus not obscured), 2.5.8 (target size); also at tablet widths. */
    const expectReachable = async () => {
      await expect.poll(() => page.evaluate(findHiddenWhenFocused)).toEqual([])
      if (appearance.width === 375)
        await expect.poll(() => page.evaluate(findSmallTargets)).toEqual([])
      const height = page.viewportSize()?.height ?? 0
      for (const width of appearance.width === 375 ? [320] : [1024, 820]) {
        await page.setViewportSize({ width, height })
        // A chart is redrawn after a resize.
        await expect.poll(overflow, { interval: 10, message: `${width} wide` }).toBe(0)
      }
      await page.setViewportSize({ width: appearance.width, height })
    }

    /**
     * Navigates as a link does, through the not-found page, so that the previous screen is never mistaken for this one.
     */
    const follow = async (path: string) => {
      const go = (to: string) => page.evaluate((one) => history.pushState(null, '', one), to)
      await go('/app/finnes-ikke')
      await page.waitForSelector(`h1:text-is("${notFoundTitle}")`)
      await go(path)
      await page.waitForSelector(`h1:not(:text-is("${notFoundTitle}"))`)
    }

    test('sign-in', async () => {
      await page.goto('/')
      await page.waitForSelector('form')
      expect(await inspect()).toEqual({ problems: [], overflow: 0, consoleErrors: [] })
      await signIn(page)
      consoleErrors.length = 0
    })

    test('not-found page', async () => {
      await page.evaluate(() => history.pushState(null, '', '/app/finnes-ikke'))
      await page.waitForSelector('.state')
      await expect.poll(() => inspect()).toEqual({ problems: [], overflow: 0, consoleErrors: [] })
    })

    test.each([...screens, ...administratorScreens])(
      '$name',
      async ({ name, path, press, focus = 'h1', ready, error }) => {
        if (name === administratorScreens[0]?.name) {
          await page.context().clearCookies()
          await signIn(page, path, administrator)
          consoleErrors.length = 0
        }
        await (appearance === appearances[0] ? page.goto(path) : follow(path))
        if (press !== undefined) {
          await page.waitForSelector(focus)
          if (focus !== 'h1') await page.focus(focus)
          await page.keyboard.press(press)
        }
        await page.waitForSelector(ready)
        await expect.poll(() => page.locator('h1').count()).toBe(1)
        await expect
          .poll(() => page.evaluate(() => document.documentElement.lang))
          .toBe(appearance.language)
        const { consoleErrors: messages, ...findings } = await inspect()
        expect(messages.filter((one) => error === undefined || !one.includes(error))).toEqual([])
        expect(findings).toEqual({ problems: [], overflow: 0 })
        // Layout does not depend on theme or language.
        if (appearance.theme === 'light' && appearance.language === 'nb') await expectReachable()
      },
    )
  })
})
