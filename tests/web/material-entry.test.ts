// Material entry on a phone: errors at their fields, the unit of a known item, and what was used last.
import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { waitForChoices } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

const phone = { theme: 'light', language: 'nb', width: 375 } as const
const registrant = { email: 'ansatt@test.example', password: 'test' }

describe.runIf(isAvailable('chromium'))('material entry on a phone', () => {
  const browserFixture = useBrowser()
  let page: Page

  beforeEach(async () => {
    page = await browserFixture.open('/app/uttak', phone, registrant)
    await page.waitForSelector('.MaterialEntry-form')
  })

  const itemField = () => page.getByLabel('Vare', { exact: true })
  const quantityField = () => page.getByLabel('Antall')

  const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement)

  /** In view, below the top bar. */
  const isFocusedInView = () =>
    page.evaluate(() => {
      const box = document.activeElement?.getBoundingClientRect()
      return box !== undefined && box.top >= 48 && box.bottom <= window.innerHeight
    })

  test('a tapped item has its unit in the field of the quantity, which opens the numeric pad', async () => {
    await page.locator('.MaterialEntry-tile:has-text("Kabel PN 3G1,5 m")').click()
    await expect.poll(() => isFocused(quantityField())).toBe(true)
    expect(await quantityField().getAttribute('inputmode')).toBe('decimal')
    await expect.poll(() => page.getByLabel('Enhet').inputValue()).toBe('m')
    const [quantity, unit] = [await quantityField().boundingBox(), await page.getByLabel('Enhet').boundingBox()]
    expect(unit?.x).toBeGreaterThan(quantity?.x ?? 0)
    expect((unit?.x ?? 0) + (unit?.width ?? 0)).toBeLessThanOrEqual((quantity?.x ?? 0) + (quantity?.width ?? 0))
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("Registrert: 12 m Kabel PN 3G1,5")')
  })

  test('an incomplete form shows each error at its field, and the first field has the focus', async () => {
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.waitForSelector('.MaterialEntry-form :text("Skriv hvilken vare det er.")')
    await page.waitForSelector('.MaterialEntry-form :text("Skriv et tall, for eksempel 2,5.")')
    await expect.poll(() => isFocused(itemField())).toBe(true)
    await expect.poll(isFocusedInView).toBe(true)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await page.keyboard.type('Skruer')
    await expect.poll(() => page.getByText('Skriv hvilken vare det er.').count()).toBe(0)
    await quantityField().fill('tre')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await expect.poll(() => isFocused(quantityField())).toBe(true)
    await quantityField().fill('0,0')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.waitForSelector('.MaterialEntry-form :text("Antallet kan ikke være 0.")')
    await expect.poll(() => page.locator('.card-list li:has-text("Skruer")').count()).toBe(0)
    await quantityField().fill('3')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("Registrert: 3")')
    await expect.poll(() => page.getByText('Skriv hvilken vare det er.').count()).toBe(0)
  })

  test('an item typed by its full name has its unit, and the next line does not keep it', async () => {
    const registerLine = async (quantity: string, unit?: string) => {
      await itemField().fill('Fugemasse')
      await quantityField().fill(quantity)
      if (unit !== undefined) await page.getByLabel('Enhet').fill(unit)
      await page.getByRole('button', { name: 'Registrer' }).click()
    }
    await registerLine('1', 'tube')
    await page.waitForSelector('.MaterialEntry-tile:has-text("Fugemasse")')
    await expect.poll(() => page.getByLabel('Enhet').inputValue()).toBe('')
    await registerLine('2')
    await page.waitForSelector('.alert:has-text("Registrert: 2 tube Fugemasse")')
    await page.waitForSelector('.card-list li:has-text("Fugemasse"):has-text("2 tube")')
  })

  test('the projects of own lines are the first to choose from, the latest on top', async () => {
    const project = page.getByRole('combobox', { name: 'Prosjekt' })
    await waitForChoices(project)
    const first = async () => (await page.getByRole('option').allInnerTexts()).slice(0, 2)
    for (const code of ['P009', 'P007']) {
      await itemField().fill(`Til ${code}`)
      await quantityField().fill('1')
      await project.fill(code)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`.card-list li:has-text("Til ${code}")`)
    }
    await project.fill('')
    await expect.poll(first).toEqual([expect.stringContaining('P007'), expect.stringContaining('P009')])
    await project.fill('p00')
    await expect.poll(first).toEqual([expect.stringContaining('P007'), expect.stringContaining('P009')])
  })

  test('the last line is filled in again by a click, on the date of the new one', async () => {
    await itemField().fill('Murpuss')
    await quantityField().fill('2,5')
    await page.getByLabel('Enhet').fill('sekk')
    await page.getByLabel('Merknad').fill('til trappa')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.getByRole('button', { name: 'Samme som sist: 2,5 sekk Murpuss' }).click()
    expect(await quantityField().inputValue()).toBe('2,5')
    expect(await page.getByLabel('Enhet').inputValue()).toBe('sekk')
    expect(await page.getByLabel('Merknad').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await expect.poll(() => page.locator('.card-list li:has-text("Murpuss")').count()).toBe(2)
  })

  test('a date in the future is asked about before the line is registered', async () => {
    const day = '2031-03-12'
    await itemField().fill('Framtid')
    await quantityField().fill('1')
    await page.getByLabel('Dato').fill(day)
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.getByText('onsdag 12. mars 2031 er fram i tid.').waitFor()
    await expect.poll(() => page.locator('.card-list li:has-text("Framtid")').count()).toBe(0)
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.waitForSelector('.card-list li:has-text("Framtid")')
    await expect.poll(() => page.getByText('fram i tid').count()).toBe(0)
  })

  test('the calendar covers neither the question about a date nor the button that answers it', async () => {
    await page.setViewportSize({ width: 1280, height: 1400 })
    await itemField().fill('Framtid igjen')
    await quantityField().fill('1')
    await page.getByLabel('Dato').fill('13.3.2031')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.getByText(/^mars 2031$/i).waitFor()
    await page.getByText('torsdag 13. mars 2031 er fram i tid.').click({ trial: true })
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.waitForSelector('.card-list li:has-text("Framtid igjen")')
  })

  test('the date of a form that stays open overnight is that of the new day, unless something is typed', async () => {
    let today = '2026-11-17'
    await page.route('**/app/okt', async (route) => {
      const reply = await route.fetch()
      await route.fulfill({ json: { ...(await reply.json()), today } })
    })
    const awake = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    const date = page.getByLabel('Dato')
    expect(await date.inputValue()).toBe('16.11.2026')
    await awake()
    await expect.poll(() => date.inputValue()).toBe('17.11.2026')
    await itemField().fill('Sent på kvelden')
    today = '2026-11-18'
    const read = page.waitForResponse('**/app/okt')
    await awake()
    await read
    await quantityField().fill('1')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.waitForSelector('.card-list li:has-text("Sent på kvelden"):has-text("17. nov.")')
  })

  test('a deleted line is registered again by Undo, and the focus is at what was done', async () => {
    await itemField().fill('Slettes')
    await quantityField().fill('2,5')
    await page.getByLabel('Merknad').fill('ved feil')
    await page.getByRole('button', { name: 'Registrer' }).click()
    const line = page.locator('.card-list li:has-text("Slettes")')
    await line.getByRole('button', { name: 'Slett Slettes' }).click()
    await expect.poll(() => line.count()).toBe(0)
    const status = page.getByRole('status').filter({ hasText: 'Slettet: 2,5 Slettes' })
    await expect.poll(() => isFocused(status)).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await line.waitFor()
    await expect.poll(() => isFocused(page.getByRole('status').filter({ hasText: 'Registrert igjen' }))).toBe(true)
    expect(await browserFixture.transactions("Varenavn eq 'Slettes'")).toMatchObject([
      { Antall: 2.5, Merknad: 'ved feil', Status: 'Registrert' },
    ])
  })

  test('the form does not say that a line is registered after it was deleted', async () => {
    await itemField().fill('Angres')
    await quantityField().fill('1')
    await page.getByRole('button', { name: 'Registrer' }).click()
    const registered = page.locator('.MaterialEntry-form .alert:has-text("Registrert: 1")')
    await registered.waitFor()
    await page.getByRole('button', { name: 'Slett Angres' }).click()
    await page.getByRole('status').filter({ hasText: 'Slettet: 1 Angres' }).waitFor()
    await expect.poll(() => registered.count()).toBe(0)
  })

  test('the bottom bar says that the form is shown while an own line is corrected', async () => {
    await itemField().fill('Fra lista')
    await quantityField().fill('1')
    await page.getByRole('button', { name: 'Registrer' }).click()
    await page.waitForSelector('.alert:has-text("Registrert: 1")')
    await page.locator('.rail').getByText('Mine uttak').click()
    const current = () => page.locator('.rail [aria-current=page]').allInnerTexts()
    await expect.poll(current).toEqual(['Mine uttak'])
    const line = page.locator('.card-list li:has-text("Fra lista")')
    await line.getByRole('button', { name: 'Endre' }).click()
    await expect.poll(current).toEqual(['Nytt uttak'])
    await expect.poll(() => itemField().inputValue()).toBe('Fra lista')
  })

  test('the reason for a rejection is above the form that corrects it, and the correction is confirmed', async () => {
    await itemField().fill('Avvist vare')
    await quantityField().fill('9')
    await page.getByRole('button', { name: 'Registrer' }).click()
    const line = page.locator('.card-list li:has-text("Avvist vare")')
    await line.waitFor()
    const [found] = await browserFixture.transactions("Varenavn eq 'Avvist vare'")
    await browserFixture.call(`/prosjekt/Transaksjon(${found?.Id})/Avvis`, { grunn: 'Bare tre ble brukt' })
    await line.getByText('Rett og send på nytt').click()
    await page.waitForSelector('.MaterialEntry-form .alert:has-text("Bare tre ble brukt")')
    await quantityField().fill('3')
    await page.getByRole('button', { name: 'Send på nytt', exact: true }).click()
    await page.waitForSelector('.MaterialEntry-form .alert:has-text("Lagret, og venter på godkjenning: 3")')
  })
})
