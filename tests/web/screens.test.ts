// Every screen in every pair of theme, language and width: accessible, no errors, no horizontal scroll.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { administrator, appearances, follow, isDriverMessage, signIn } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { findHiddenWhenFocused, findSmallTargets, getOverflow } from './layout-checks.ts'
import { administratorScreens, screens, waitForScreen } from './screens.ts'

describe.runIf(isAvailable('chromium'))('every screen', () => {
  const browserFixture = useBrowser()

  describe.each(appearances)('$theme, $language, $width wide', (appearance) => {
    let page: Page
    const consoleErrors: string[] = []
    beforeAll(async () => {
      page = await browserFixture.newPage(appearance)
      page.on('request', (request) => {
        if (!request.url().startsWith(browserFixture.address) && !request.url().startsWith('data:'))
          consoleErrors.push(`requested ${request.url()}`)
      })
      // CSP violations and uncaught errors appear here.
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isDriverMessage(message.text()))
          consoleErrors.push(message.text())
      })
      page.on('pageerror', (error) => consoleErrors.push(error.message))
    })
    afterAll(() => page.context().close())

    const overflow = () => getOverflow(page)

    const expectClean = async (expectedError?: string) => {
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      await expect.poll(overflow).toBe(0)
      const isExpected = (one: string) => expectedError !== undefined && one.includes(expectedError)
      expect(consoleErrors.splice(0).filter((one) => !isExpected(one))).toEqual([])
    }

    /** WCAG 1.4.10 (reflow), 2.4.11 (focus not obscured), 2.5.8 (target size); also at tablet widths. */
    const expectReachable = async () => {
      await expect.poll(() => page.evaluate(findHiddenWhenFocused)).toEqual([])
      if (appearance.width === 375) await expect.poll(() => page.evaluate(findSmallTargets)).toEqual([])
      const height = page.viewportSize()?.height ?? 0
      for (const width of appearance.width === 375 ? [320] : [1024, 820]) {
        await page.setViewportSize({ width, height })
        // A chart is redrawn after a resize.
        await expect.poll(overflow, { interval: 10, message: `${width} wide` }).toBe(0)
      }
      await page.setViewportSize({ width: appearance.width, height })
    }

    test('sign-in', async () => {
      await page.goto('/')
      await page.waitForSelector('form')
      await expectClean()
      await signIn(page)
      consoleErrors.length = 0
    })

    test('not-found page', async () => {
      await page.evaluate(() => history.pushState(null, '', '/app/finnes-ikke'))
      await page.waitForSelector('.state')
      await expectClean()
    })

    test.each([...screens, ...administratorScreens])('$name', async (screen) => {
      const { name, path } = screen
      if (name === administratorScreens[0]?.name) {
        await page.context().clearCookies()
        await signIn(page, path, administrator)
        consoleErrors.length = 0
      }
      await (appearance === appearances[0] ? page.goto(path) : follow(page, path))
      await waitForScreen(page, screen)
      await expect.poll(() => page.locator('h1').count()).toBe(1)
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe(appearance.language)
      await expectClean(screen.error)
      // Norwegian words are the longer ones.
      if (appearance.language === 'nb') await expectReachable()
    })
  })
})
