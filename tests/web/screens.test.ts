// Every screen in every theme, language and width: accessible, no errors, no horizontal scroll.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMet } from '../support/requirements.ts'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'
import { problemsOf } from './axe.ts'
import { administrator, isOurs, looks, openBrowser, openContext, signIn } from './browser.ts'
import { hiddenWhenFocused, smallTargets } from './layout-checks.ts'
import { administratorScreens, screens } from './screens.ts'

describe.runIf(isMet('chromium'))('every screen', () => {
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

  describe.each(looks)('$theme, $language, $width wide', (look) => {
    let context: BrowserContext
    let page: Page
    const noise: string[] = []
    const nowhere = look.language === 'nb' ? 'Siden finnes ikke' : 'There is no such page'
    beforeAll(async () => {
      context = await openContext(browser, sandbox.address, look)
      page = await context.newPage()
      page.on('request', (request) => {
        if (!request.url().startsWith(sandbox.address) && !request.url().startsWith('data:'))
          noise.push(`asked ${request.url()}`)
      })
      // CSP violations and uncaught errors appear here.
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !isOurs(message.text()))
          noise.push(message.text())
      })
      page.on('pageerror', (error) => noise.push(error.message))
    })
    afterAll(() => context.close())

    const overflow = () =>
      page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))

    const look_ = async () => ({
      problems: await problemsOf(page),
      overflow: await overflow(),
      noise: noise.splice(0),
    })

    /** WCAG 1.4.10 (reflow), 2.4.11 (focus not obscured), 2.5.8 (target size); also at tablet widths. */
    const isWithinReach = async () => {
      expect(await page.evaluate(hiddenWhenFocused)).toEqual([])
      if (look.width === 375) expect(await page.evaluate(smallTargets)).toEqual([])
      const height = page.viewportSize()?.height ?? 0
      for (const width of look.width === 375 ? [320] : [1024, 820]) {
        await page.setViewportSize({ width, height })
        // A chart is redrawn after a resize.
        await expect.poll(overflow, { interval: 10, message: `${width} wide` }).toBe(0)
      }
      await page.setViewportSize({ width: look.width, height })
    }

    /**
     * Navigates as a link does, through the not-found page, so that the previous screen is never mistaken for this one.
     */
    const follow = async (path: string) => {
      const go = (to: string) => page.evaluate((one) => history.pushState(null, '', one), to)
      await go('/app/finnes-ikke')
      await page.waitForSelector(`h1:text-is("${nowhere}")`)
      await go(path)
      await page.waitForSelector(`h1:not(:text-is("${nowhere}"))`)
    }

    test('sign-in', async () => {
      await page.goto('/')
      await page.waitForSelector('form')
      // The browser logs the 401 of an anonymous visitor as an error.
      const { noise: told, ...seen } = await look_()
      expect(told.filter((one) => !one.includes('401'))).toEqual([])
      expect(seen).toEqual({ problems: [], overflow: 0 })
      await signIn(page)
      noise.length = 0
    })

    test('not-found page', async () => {
      await page.evaluate(() => history.pushState(null, '', '/app/finnes-ikke'))
      await page.waitForSelector('.state')
      expect(await look_()).toEqual({ problems: [], overflow: 0, noise: [] })
    })

    test.each([...screens, ...administratorScreens])(
      '$name',
      async ({ name, path, press, focus = 'h1', ready, error }) => {
        if (name === administratorScreens[0]?.name) {
          await page.context().clearCookies()
          await signIn(page, path, administrator)
          noise.length = 0
        }
        await (look === looks[0] ? page.goto(path) : follow(path))
        if (press !== undefined) {
          await page.waitForSelector(focus)
          if (focus !== 'h1') await page.focus(focus)
          await page.keyboard.press(press)
        }
        await page.waitForSelector(ready)
        expect(await page.locator('h1').count()).toBe(1)
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(look.language)
        const { noise: told, ...seen } = await look_()
        expect(told.filter((one) => error === undefined || !one.includes(error))).toEqual([])
        expect(seen).toEqual({ problems: [], overflow: 0 })
        // Layout does not depend on theme or language.
        if (look.theme === 'light' && look.language === 'nb') await isWithinReach()
      },
    )
  })
})
