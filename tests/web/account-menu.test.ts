// The account menu: who is signed in, and entries that a finger hits.
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { administrator, oppositeAppearances } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('the account menu', () => {
  const browserFixture = useBrowser()

  test.each(oppositeAppearances)('names the person, and its entries are touch targets: %j', async (appearance) => {
    const page = await browserFixture.open('/app/hjelp', appearance)
    const button = page.locator('header button[aria-haspopup=menu]').last()
    await expect.poll(() => button.textContent()).toBe('N')
    await button.click()
    const who = page.locator('.account-who > *')
    await expect.poll(() => who.allTextContents()).toEqual(['Nora Dahl', administrator.email, 'Administrator'])
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    if (appearance.width !== 375) return
    const heights = () => page.getByRole('menuitem').evaluateAll((all) => all.map((one) => one.clientHeight))
    await expect.poll(async () => Math.min(...(await heights()))).toBeGreaterThanOrEqual(44)
  })
})
