// Expired sessions: the user signs in again over the page, and nothing that was typed is lost.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { administrator, oppositeAppearances, signIn, typeWhenFocused } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

const registrant = { email: 'ansatt@test.example', password: 'test' }

describe.runIf(isAvailable('chromium'))('an expired session', () => {
  const browserFixture = useBrowser()
  let page: Page

  const revenueOn = (date: string) => browserFixture.revenue(`Dato eq datetime('${date}') and AvdelingID eq '007'`)

  /** The session ends while the cell is edited: another request could ask for the password first. */
  const typeInFirstCell = async (amount: string) => {
    await page.locator('[data-cell="0:0"]').press('Enter')
    await typeWhenFocused(page, amount)
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
  }

  test('stores the amount that was typed, once the user has signed in again', async () => {
    page = await browserFixture.open('/app/omsetning?vis=dager&dag=2026-11-09')
    await typeInFirstCell('55 000,25')
    await page.waitForSelector('[role=dialog]:has-text("Du er logget ut")')
    await page.locator('input[name=password-again]').fill('feil')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog]:has-text("Passordet er feil.")')
    await page.locator('input[name=password-again]').fill(administrator.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await page.waitForSelector('.alert:has-text("1 celle lagret")')
    await expect.poll(() => revenueOn('2026-11-09')).toEqual([55_000.25])
  })

  test('keeps the line of material that was typed, and registers it once', async () => {
    page = await browserFixture.open('/app/uttak', undefined, registrant)
    await page.getByLabel('Vare', { exact: true }).fill('Lim etter pause')
    await page.keyboard.press('Tab')
    await page.getByLabel('Antall').fill('3')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await page.locator('input[name=password-again]').fill(registrant.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('.card-list li:has-text("Lim etter pause")')
    await page.reload()
    await page.waitForSelector('.card-list li')
    await expect.poll(() => page.locator('.card-list li:has-text("Lim etter pause")').count()).toBe(1)
  })

  test('of a user without a password continues after signing in in another tab', async () => {
    page = await browserFixture.open('/app/hjelp')
    await page.route('**/app/okt', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      const json = response.status() === 200 ? { ...(await response.json()), via: 'provider' } : undefined
      return route.fulfill({ response, json })
    })
    await page.goto('/app/omsetning?vis=dager&dag=2026-10-05')
    await typeInFirstCell('77')
    const resume = page.getByRole('button', { name: 'Jeg har logget inn' })
    await resume.click()
    await page.waitForSelector('[role=dialog]:has-text("Du er ikke logget inn ennå.")')
    const other = await page.context().newPage()
    await signIn(other, '/app/hjelp', administrator)
    await page.waitForSelector('.alert:has-text("1 celle lagret")')
    await expect.poll(() => revenueOn('2026-10-05')).toEqual([77])
  })

  test('is signed out without asking for the password', async () => {
    page = await browserFixture.open('/app/hjelp')
    await page.context().clearCookies()
    await page.click('.account')
    await page.click('[role=menuitem]:has-text("Logg ut")')
    await page.waitForSelector('input[name=email]')
  })

  test.each(oppositeAppearances)(
    'covers the page, and is accessible: $theme, $language, $width wide',
    async (appearance) => {
      page = await browserFixture.open('/app/omsetning?vis=dager&dag=2026-11-09', appearance)
      await typeInFirstCell('1')
      await page.waitForSelector('input[name=password-again]')
      const isCovered = () =>
        page.evaluate(() =>
          [0.1, 0.5, 0.9].every((part) => {
            const { innerWidth, innerHeight } = window
            const top = document.elementFromPoint(innerWidth * part, innerHeight * part)
            return top !== null && top.closest('.mantine-Modal-root') !== null
          }),
        )
      await expect.poll(isCovered).toBe(true)
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    },
  )
})
