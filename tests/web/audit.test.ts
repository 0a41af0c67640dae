// The audit screen: what it shows at first, and what on request.
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { administrator } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('the audit', () => {
  const browserFixture = useBrowser()

  test('shows sign-ins only when chosen, with the name and e-mail of the person', async () => {
    const page = await browserFixture.open('/app/revisjon')
    await page.waitForSelector('.cards td')
    await expect.poll(() => page.locator('tr:has-text("Logget inn")').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Hva' }).selectOption('Alle handlinger')
    await page.locator('tr:has-text("Logget inn")').first().waitFor()
    const person = page.locator(`tr:has-text("Logget inn") [title="${administrator.email}"]`)
    await expect.poll(() => person.first().textContent()).toBe('Nora Dahl')
  })

  test('names settings as their screen does', async () => {
    const page = await browserFixture.open('/app/administrasjon?vis=innstillinger')
    await page.getByLabel('Valuta').fill('EUR')
    await page.getByRole('switch', { name: 'Fire øyne' }).click()
    await page.getByRole('switch', { name: 'Revisor' }).click()
    await page.getByRole('form', { name: 'Innstillinger' }).getByRole('button', { name: 'Lagre' }).click()
    await page.waitForSelector('.alert:has-text("Lagret")')
    await page.goto('/app/revisjon')
    await page
      .getByRole('row')
      .filter({ hasText: 'Valuta, Fire øyne, Totrinnsinnlogging er påkrevd for Revisor' })
      .waitFor()
  })

  test('names the alert for lines that wait for export', async () => {
    const page = await browserFixture.open('/app/administrasjon?vis=innstillinger')
    await page.getByLabel('Dager godkjente linjer kan vente på eksport').fill('5')
    await page.getByRole('form', { name: 'Varsel' }).getByRole('button', { name: 'Lagre' }).click()
    await page.waitForSelector('.alert:has-text("Lagret")')
    await page.goto('/app/revisjon')
    await page
      .getByRole('row')
      .filter({ hasText: 'Endret varsel' })
      .filter({ hasText: 'Godkjente linjer som venter på eksport' })
      .waitFor()
  })

  test('shows request and checksum of an entry only when chosen', async () => {
    const page = await browserFixture.open('/app/revisjon')
    await page.waitForSelector('.cards td')
    const titles = () => page.locator('.cards thead th').allTextContents()
    await expect.poll(titles).toEqual(['Nr.', 'Når', 'Av', 'Hva', 'Detaljer'])
    await page.getByRole('button', { name: 'Visning' }).click()
    await page.getByLabel('Kontrollsum').check()
    await expect.poll(titles).toContain('Kontrollsum')
  })
})
