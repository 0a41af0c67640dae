// Screens that a user may not open: they say whose they are.
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { oppositeAppearances } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('without access', () => {
  const browserFixture = useBrowser()

  test.each(oppositeAppearances)(
    'an administrator learns that server settings are for the operator: $language',
    async (appearance) => {
      const page = await browserFixture.open('/app/administrasjon?vis=drift', appearance)
      const text = {
        nb: 'Denne siden er bare for den som drifter serveren',
        en: 'This page is only for the operator of the server',
      }
      await page.waitForSelector('.state')
      await expect.poll(() => page.locator('.state').textContent()).toContain(text[appearance.language])
    },
  )
})
