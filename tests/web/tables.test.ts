// Tables on a phone and a tablet: every row is a card, so that no cell is out of view.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('tables and forms', () => {
  describe('tables on a phone and a tablet', () => {
    const browserFixture = useBrowser()
    let page: Page
    beforeAll(async () => {
      await browserFixture.call('/dev/Omsetning/LagreEllerOppdaterListe', [
        { Dato: '2026-11-10', AvdelingID: 'FEIL', Omsetning: 99_999_999.99, Merknad: 'x'.repeat(60) },
        { Dato: '2026-11-11', AvdelingID: '20', Omsetning: 99_999_999.99 },
      ])
    })

    /** Cells that are cut off at the right, however far the page is scrolled down. */
    const findCutCells = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.cards tbody :is(td, th)')]
          .filter((cell) => cell.checkVisibility())
          .filter((cell) => {
            const text = document.createRange()
            text.selectNodeContents(cell)
            const { left, right } = text.getBoundingClientRect()
            return left < 0 || right > window.innerWidth
          })
          .map((cell) => cell.outerHTML.slice(0, 200)),
      )

    /** Cells with text that do not say what it is: neither the heading of the card, nor after the title of a column. */
    const findUntitledCells = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.cards tbody td:not(.row-actions)')]
          .filter((cell) => cell.checkVisibility() && cell.textContent !== '')
          .filter((cell) => /^(none|normal|"")$/.test(getComputedStyle(cell, '::before').content))
          .map((cell) => cell.outerHTML.slice(0, 200)),
      )

    const screens = [
      ['data quality', '/app/rydde', '.cards a'],
      ['export lines', '/app/eksport', '.cards td'],
      ['exported lines', '/app/eksport?liste=ute', '.cards td'],
      ['the export history', '/app/eksport?vis=historikk', '.cards td'],
      ['a retrieval', '/app/eksport?uthenting=6', '.related .cards td'],
      ['received revenue', '/app/omsetning?vis=mottatt', '.cards td'],
      ['the people', '/app/administrasjon?vis=personer', '.cards td'],
      ['the audit', '/app/revisjon', '.cards .strong'],
    ] as const

    test.each(screens)('%s: no cell is cut off at any width, and each says what it is', async (_, path, ready) => {
      page = await browserFixture.open(path, { theme: 'light', language: 'nb', width: 375 })
      await page.waitForSelector(ready)
      for (const width of [375, 820, 1024]) {
        await page.setViewportSize({ width, height: 860 })
        await expect.poll(findCutCells, { message: `${width} wide` }).toEqual([])
        expect(await findUntitledCells()).toEqual([])
        // Their titles are those of the columns.
        await expect.poll(() => page.locator('.cards thead').first().isVisible()).toBe(false)
      }
    })

    test.each(['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg'])(
      'the list %s of the directory does not scroll sideways at any width',
      async (list) => {
        page = await browserFixture.open(`/app/register?liste=${list}`)
        await page.waitForSelector('.list td')
        for (const width of [375, 820, 1024, 1280]) {
          await page.setViewportSize({ width, height: 860 })
          const hidden = () => page.locator('.list').evaluate((table) => table.scrollWidth - table.clientWidth)
          await expect.poll(hidden, { message: `${width} wide` }).toBe(0)
        }
      },
    )
  })

  // A server of its own: the long values of the other tables need more than this width.
  describe('screens on a desk', () => {
    const browserFixture = useBrowser()

    test('names of the interface are shown beside scopes and events only on request', async () => {
      const page = await browserFixture.open('/app/administrasjon')
      await page.getByRole('button', { name: 'Ny nøkkel eller nytt passord' }).click()
      await page.getByLabel('lese omsetning').waitFor()
      expect(await page.getByText('revenue:read').count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('switch', { name: 'Vis feltnavn' }).click()
      await page.goto('/app/administrasjon?vis=webhooks')
      await page.getByRole('button', { name: 'Legg til webhook' }).click()
      await page.getByLabel('uttak er godkjent').waitFor()
      expect(await page.getByText('transaction.approved').count()).toBe(1)
    })

    test('an error of a field is at the field, and names it as the screen does, not as the API', async () => {
      const page = await browserFixture.open('/app/administrasjon?vis=webhooks')
      const submit = async (field: string, value: string) => {
        await page.getByLabel(field, { exact: true }).fill(value)
        await page.locator(':is([role=dialog], .Settings-form) button[type=submit]').first().click()
        const errorOfField = page.locator('[id$="-error"]')
        await errorOfField.filter({ hasText: new RegExp(`^${field} .*(ikke|må)`) }).waitFor()
        // The field may be out of view from the button.
        await page
          .locator('[aria-invalid=true]:focus')
          .and(page.getByLabel(field, { exact: true }))
          .waitFor()
      }
      await page.getByRole('button', { name: 'Legg til webhook' }).click()
      await submit('Adresse', 'http://eksempel.example/')
      await page.goto('/app/administrasjon?vis=innstillinger')
      await submit('Valuta', 'X')
      await page.getByLabel('Valuta').fill('NOK')
      // In the language of the app: the browser's own field would say 12:00 AM.
      expect(await page.getByLabel('Dagen slutter klokken').inputValue()).toBe('00:00')
      await submit('Dagen slutter klokken', '24:00')
      await page.goto('/app/administrasjon?vis=personer')
      await page.getByRole('button', { name: 'Inviter' }).first().click()
      await submit('E-post', 'kari')
    })

    test('settings: two-step sign-in can be required of one role without changing the others', async () => {
      const page = await browserFixture.open('/app/administrasjon?vis=innstillinger')
      const roles = page.getByRole('group', { name: 'Totrinnsinnlogging er påkrevd for' })
      await roles.getByRole('switch', { name: 'Revisor' }).click()
      await page.getByRole('form', { name: 'Innstillinger' }).getByRole('button', { name: 'Lagre' }).click()
      const saved = page.locator('.alert:has-text("Lagret")')
      await expect.poll(async () => (await saved.boundingBox())?.y).toBeGreaterThan(0)
      await page.reload()
      await expect.poll(() => roles.getByRole('switch', { checked: true }).count()).toBe(1)
      expect(await roles.getByRole('switch', { name: 'Revisor' }).isChecked()).toBe(true)
    })

    test.each([
      ['the audit', '/app/revisjon', '.cards .strong'],
      ['the revenue received', '/app/omsetning?vis=mottatt', '.feed .table-scroll td'],
      ['the people', '/app/administrasjon?vis=personer', '.cards td'],
    ])('%s has every column in view, 1280 wide', async (_, path, ready) => {
      const page = await browserFixture.open(path)
      await page.waitForSelector(ready)
      const hidden = () => page.locator('.table-scroll').evaluate((table) => table.scrollWidth - table.clientWidth)
      await expect.poll(hidden).toBe(0)
    })
  })
})
