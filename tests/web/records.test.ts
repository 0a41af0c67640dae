// Directory records by keyboard: create, edit, delete, and conflicts.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, waitForDialog, type Appearance, type Person } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

describe.runIf(isAvailable('chromium'))('directory records', () => {
  const browserFixture = useBrowser()
  let page: Page

  const open = async (path: string, appearance?: Appearance, who?: Person) => {
    page = await browserFixture.open(path, appearance, who)
    await page.waitForSelector('.list td')
  }

  const site = async (id: string): Promise<string[]> => {
    const query = new URLSearchParams({ $filter: `Id eq '${id}'`, $select: 'Navn' })
    const { value } = await browserFixture.call(`/odata/Anlegg?${query.toString()}`)
    return value.map(({ Navn }: { Navn: string }) => Navn)
  }

  test('a record is created, edited and deleted by keyboard', async () => {
    await open('/app/register?liste=Anlegg')
    await page.locator('button:has-text("Nytt anlegg")').press('Enter')
    await waitForDialog(page)
    await page.getByLabel('Anleggsnummer').fill('NYTT-1')
    await page.getByLabel('Navn', { exact: true }).fill('Brygga')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .fields dd:has-text("Brygga")')
    await expect.poll(() => site('NYTT-1')).toEqual(['Brygga'])
    await page.locator('[role=dialog] button:has-text("Rediger")').press('Enter')
    await page.waitForSelector('[role=dialog] form :focus')
    await page.getByLabel('Navn', { exact: true }).fill('Brygga øst')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .alert:has-text("Lagret.")')
    await expect.poll(() => site('NYTT-1')).toEqual(['Brygga øst'])
    const edit = page.locator('[role=dialog] button:focus:has-text("Rediger")')
    await edit.press('Enter')
    await page.click('[role=dialog] button:has-text("Avbryt")')
    await edit.waitFor()
    expect(await page.locator('[role=dialog] .alert').count()).toBe(0)
    await edit.press('Enter')
    await page.click('[role=dialog] button:has-text("Slett")')
    await page.waitForSelector('[role=alert]:has-text("Slette Brygga øst?")')
    await page.click('[role=alert] button:has-text("Slett")')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
    await expect.poll(() => site('NYTT-1')).toEqual([])
  })

  test('a concurrent change is not overwritten, and a record in use is not deleted', async () => {
    await open('/app/register?liste=Avdeling&id=20')
    await page.click('[role=dialog] button:has-text("Rediger")')
    await page.getByLabel('Navn', { exact: true }).fill('Mitt navn')
    const change = { Beskrivelse: 'endret av andre' }
    await browserFixture.call("/ansatt/avdeling('20')", change, 'PATCH')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .problem:has-text("etter at du leste den")')
    await expect.poll(() => page.getByLabel('Navn', { exact: true }).inputValue()).toBe('Mitt navn')
    await page.goto('/app/register?liste=Avdeling&id=20')
    // The error that leaving the field shows moves the buttons.
    for (const button of [':has-text("Avbryt")', '[type=submit]']) {
      await page.click('[role=dialog] button:has-text("Rediger")')
      await page.getByLabel('Hovedavdeling').fill('finnes ikke')
      await page.click(`[role=dialog] form button${button}`)
    }
    // The error is at the field, which has the focus.
    await page.getByText('«finnes ikke» finnes ikke i registeret. Velg fra listen.').waitFor()
    const isFocused = () => page.getByLabel('Hovedavdeling').evaluate((element) => element === document.activeElement)
    await expect.poll(isFocused).toBe(true)
    await page.click('[role=dialog] button:has-text("Slett")')
    await page.click('[role=alert] button:has-text("Slett")')
    await page.waitForSelector('[role=alert] .problem:has-text("kan ikke slettes")')
  })

  test('a record that another refers to is chosen by name, and one that does not exist is rejected', async () => {
    await open('/app/register?id=2')
    await page.click('[role=dialog] button:has-text("Rediger")')
    const department = page.getByRole('combobox', { name: 'Avdeling' })
    await department.click()
    await page.waitForSelector('[role=option]')
    await department.fill('finnes ikke')
    await page.getByText('«finnes ikke» finnes ikke i registeret').first().waitFor()
    await department.fill('kaf')
    await page.keyboard.press('Enter')
    await expect.poll(() => department.inputValue()).toBe('Kafé')
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=dialog] .fields a:has-text("40 Kafé")')
  })

  test('a list is sorted by a click on a column, on the server, and searched in that order', async () => {
    await open('/app/register?liste=Ansatt')
    const names = () => page.locator('.list td[data-title="Avdeling"]').allTextContents()
    const heading = page.getByRole('columnheader', { name: 'Avdeling' })
    // The departments of all employees, not of the page.
    await heading.getByRole('button').click()
    await expect.poll(async () => [...new Set(await names())]).toEqual(['', 'Byggevarer', 'Hagesenter', 'Jernvare'])
    await heading.getByRole('button').click()
    await expect.poll(async () => (await names())[0]).toBe('Nettbutikk')
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
    await page.getByLabel('Søk i ansatte').fill('ali')
    await expect.poll(async () => (await names()).length).toBeLessThan(20)
    expect(await names()).toEqual((await names()).toSorted().toReversed())
    await heading.getByRole('button').click()
    await expect.poll(() => new URL(page.url()).searchParams.has('sorter')).toBe(false)
  })

  test('a record says how many of its related records it shows, and shows all on request', async () => {
    const rows = Array.from({ length: 45 }, (_, index) => ({
      Fornavn: 'Ny',
      Etternavn: `Nilsen ${index}`,
      AvdelingId: '007',
    }))
    await browserFixture.call('/ansatt/ansatt', rows)
    await open('/app/register?liste=Avdeling&id=007')
    const employees = page.locator('[role=dialog] .related').filter({ hasText: 'Ansatte' })
    await employees.getByText(/^40 av \d\d$/).waitFor()
    await expect.poll(() => employees.locator('.chip').count()).toBe(40)
    await employees.getByRole('button', { name: 'Vis alle' }).click()
    await expect.poll(() => employees.locator('.chip').count()).toBeGreaterThanOrEqual(45)
    expect(await employees.getByText(/40 av/).count()).toBe(0)
  })

  test('a link to a record that does not exist says so', async () => {
    await open('/app/register?liste=Avdeling&id=FINNES-IKKE')
    await page.waitForSelector('[role=dialog] .state:has-text("Posten finnes ikke")')
    await page.keyboard.press('Escape')
    await page.waitForSelector('[role=dialog]', { state: 'detached' })
  })

  test('names of the API are shown only on request', async () => {
    await open('/app/register?liste=Ansatt')
    await page.waitForSelector('.list td')
    await expect.poll(() => page.locator('.api-name').count()).toBe(0)
    await page.getByLabel('Vis feltnavn').check()
    await page.waitForSelector('th .api-name:text-is("Epost")')
    await page.goto('/app/register?liste=Ansatt&id=1')
    await page.waitForSelector('[role=dialog] dt .api-name')
  })

  test('a manager can only view records', async () => {
    await open('/app/register?liste=Avdeling&id=20&ny=true', undefined, {
      email: 'leder@test.example',
      password: 'test',
    })
    await page.waitForSelector('[role=dialog] .fields dd')
    await expect.poll(() => page.locator('button:has-text("Rediger")').count()).toBe(0)
    await expect.poll(() => page.locator('button:has-text("Ny avdeling")').count()).toBe(0)
  })

  test.each(oppositeAppearances)('the form is accessible: $theme, $language, $width wide', async (appearance) => {
    await open('/app/register?id=1', appearance)
    await page.locator('[role=dialog] .mantine-Drawer-body > button').click()
    await page.waitForSelector('[role=dialog] form')
    await page.locator('[role=dialog] form > button').click()
    await page.waitForSelector('[role=dialog] form [role=alert]')
    await expect.poll(() => getOverflow(page)).toBe(0)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
  })
})
