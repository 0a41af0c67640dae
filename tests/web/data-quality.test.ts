// Data-quality lists in the browser: comparing duplicates, deleting one, moving unknown codes.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, type Appearance } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

describe.runIf(isAvailable('chromium'))('data quality', () => {
  const browserFixture = useBrowser()
  const { revenue } = browserFixture
  let page: Page
  beforeAll(async () => {
    await send('Lagre', { Dato: '2026-11-11', AvdelingID: '20', Omsetning: 123 })
    await send('LagreEllerOppdaterListe', [
      { Dato: '2026-11-10', AvdelingID: 'FEIL', Omsetning: 11 },
      { Dato: '2026-11-12', AvdelingID: 'FEIL', Omsetning: 12 },
    ])
  })

  const send = (operation: string, body: unknown) => browserFixture.call(`/dev/Omsetning/${operation}`, body)

  const open = async (appearance?: Appearance) => {
    page = await browserFixture.open('/app/rydde', appearance)
    await page.waitForSelector('.page-section h2')
  }

  test('the lists are linked from Today, and show count and sum', async () => {
    await open()
    await page.goto('/app/i-dag')
    await page.click('a:text-is("Må ryddes")')
    await page.waitForSelector('h1:text("Må ryddes")')
    await page.waitForSelector('tr:has-text("FEIL"):has-text("23,00")')
  })

  test('a duplicate record of a cell is deleted', async () => {
    await open()
    const where = "Dato eq datetime('2026-11-11') and AvdelingID eq '20'"
    const before = await revenue(where)
    expect(before).toContain(123)
    await page.locator('tr:has(a[aria-label*="11. nov"])').getByRole('link').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .record')
    await page.click('[role=dialog] .record:has-text("123,00") button')
    await page.waitForSelector('[role=dialog] .history li:has-text("Slettet")')
    await expect.poll(() => revenue(where)).toEqual(before.filter((one) => one !== 123))
  })

  test('a record without a date is shown, and deleted', async () => {
    await send('Lagre', { AvdelingID: '10', Omsetning: 321 })
    await open()
    await page.goto('/app/i-dag')
    await page.click('.task:has-text("1 post uten dato") a')
    await page.click('[role=dialog] .record:has-text("321,00") button')
    await expect.poll(() => revenue('Dato eq null')).toEqual([])
    await page.waitForSelector('[role=dialog] .history li:has-text("Slettet")')
  })

  test('records of an unknown code are moved to a department', async () => {
    await open()
    await page.locator('tr:has-text("FEIL") button').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Riktig avdeling').selectOption('10')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('.alert:has-text("2 poster er flyttet.")')
    await expect.poll(() => revenue("AvdelingID eq 'FEIL'")).toEqual([])
    await expect.poll(() => revenue("Dato eq datetime('2026-11-12') and AvdelingID eq '10'")).toContain(12)
  })

  test('a department is created for an unknown code', async () => {
    await send('Lagre', { Dato: '2026-11-10', AvdelingID: 'NY-1', Omsetning: 5 })
    await open()
    await page.click('tr:has-text("NY-1") a:has-text("Opprett avdelingen")')
    await page.waitForSelector('[role=dialog] form')
    await expect.poll(() => page.getByLabel('Avdelingsnummer').inputValue()).toBe('NY-1')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('[role=dialog] .fields dd:has-text("NY-1")')
    await page.goto('/app/rydde')
    await page.waitForSelector('.page-section h2')
    await expect.poll(() => page.locator('tr:has-text("NY-1") a:has-text("Opprett")').count()).toBe(0)
  })

  test.each(oppositeAppearances)('the lists are accessible: $theme, $language, $width wide', async (appearance) => {
    await send('Lagre', { Dato: '2026-11-10', AvdelingID: '<b>x</b>', Omsetning: 5 })
    await send('Lagre', { Dato: '2026-11-11', AvdelingID: '20', Omsetning: 7 })
    await open(appearance)
    await expect.poll(() => getOverflow(page)).toBe(0)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await page
      .getByRole('region', { name: /Dager med doble tall|Days with duplicate/ })
      .locator('td a')
      .first()
      .click()
    await page.waitForSelector('[role=dialog] .record button')
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
  })
})
