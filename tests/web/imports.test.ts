// Import by keyboard: mapping, dry run, repairing rejected rows, undo; on desktop and phone.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, type Appearance, type Person, typeWhenFocused } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

describe.runIf(isAvailable('chromium'))('import', () => {
  const browserFixture = useBrowser()
  let page: Page
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-import-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  const open = async (path: string, appearance?: Appearance, who?: Person) => {
    page = await browserFixture.open(path, appearance, who)
    await page.waitForSelector('.Imports-step h2')
  }

  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  const sites = async (): Promise<string[]> => {
    const query = new URLSearchParams({ $filter: "startswith(Id,'IMP')" })
    const { value } = await browserFixture.call(`/odata/Anlegg?${query.toString()}`)
    return value.map(({ Id, Navn }: { Id: string; Navn: string }) => `${Id} ${Navn}`)
  }

  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')

  test('a file is mapped, checked by dry run, repaired, imported and undone', async () => {
    await open('/app/import?hva=Anlegg')
    const file = write('anlegg.csv', `Anleggsnr;Kallenavn;Sted\nIMP1;Øst;Ås\n;Vest;Bø\nIMP3;${'x'.repeat(201)};Ås\n`)
    await page.setInputFiles('input[type=file]', file)
    await page.waitForSelector('.Imports-mapping')
    await expect.poll(() => focused()).toBe('2. Hva kolonnene betyr')
    const chosen = () =>
      page.locator('.Imports-mapping select').evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))
    await expect.poll(() => chosen()).toEqual(['Id', '', 'Poststed'])
    await page.getByLabel('Felt for Kallenavn').selectOption('Navn')
    await expect.poll(() => chosen()).toEqual(['Id', 'Navn', 'Poststed'])
    await page.getByRole('button', { name: 'Lagre oppsettet' }).press('Enter')
    await typeWhenFocused(page, 'Feltlisten')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("«Feltlisten» er lagret")')
    // The mapping must come from the server, not from this browser.
    await page.evaluate(() => localStorage.clear())
    // What was chosen is tried, although the file is saved again meanwhile.
    write('anlegg.csv', 'Anleggsnr\nIMP9\n')
    await page.click('button:has-text("Prøv uten å lagre")')
    await page.waitForSelector('.Imports-rejected li')
    await expect.poll(() => focused()).toBe('3. Se hva som vil skje')
    await expect
      .poll(() => page.locator('.Imports-rejected li strong').allTextContents())
      .toEqual(['Linje 3', 'Linje 4'])
    await expect.poll(() => sites()).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:has-text("Last ned radene med feil")'),
    ])
    expect(download.suggestedFilename()).toBe('anlegg-feil.csv')
    const errors = readFileSync(await download.path(), 'utf8')
    await page.click('button:has-text("Importer den gyldige raden")')
    await page.waitForSelector('h2:text("Importert")')
    await expect.poll(() => sites()).toEqual(['IMP1 Øst'])
    // The same file can be chosen again.
    await Promise.all([page.waitForEvent('filechooser'), page.click('button:has-text("Velg fil")')])
    expect(await page.inputValue('input[type=file]')).toBe('')
    const repaired = errors.replace('"";"Vest"', '"IMP2";"Vest"').replace('x'.repeat(201), 'Sør')
    await page.setInputFiles('input[type=file]', write('anlegg-feil.csv', repaired))
    await page.waitForSelector('.Imports-mapping')
    await page.waitForSelector('.alert:has-text("Oppsettet «Feltlisten» er brukt")')
    await expect.poll(() => chosen()).toEqual(['Id', 'Navn', 'Poststed', '', ''])
    await page.getByLabel('Lagret oppsett').selectOption({ label: 'Uten lagret oppsett' })
    await expect.poll(() => chosen()).toEqual(['Id', '', 'Poststed', '', ''])
    await page.getByLabel('Lagret oppsett').selectOption('Feltlisten')
    await page.getByRole('button', { name: 'Gi nytt navn' }).press('Enter')
    await page.waitForSelector('input:focus')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Felt 2')
    await page.keyboard.press('Enter')
    await page.waitForSelector('select:has-text("Felt 2")')
    await page.getByRole('button', { name: 'Slett oppsettet' }).press('Enter')
    await page.waitForSelector('.alert:has-text("«Felt 2» er slettet")')
    await page.getByRole('button', { name: 'Angre', exact: true }).press('Enter')
    await page.waitForSelector('.alert:has-text("«Felt 2» er lagret")')
    await expect.poll(() => chosen()).toEqual(['Id', 'Navn', 'Poststed', '', ''])
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    await page.click('button:has-text("Prøv uten å lagre")')
    await page.click('button:has-text("Importer 2 rader")')
    await page.waitForSelector('h2:text("Importert")')
    await expect.poll(() => sites()).toEqual(['IMP1 Øst', 'IMP2 Vest', 'IMP3 Sør'])
    await page.locator('button:has-text("Angre importen")').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.alert:has-text("2 poster er som før importen.")')
    await expect.poll(() => sites()).toEqual(['IMP1 Øst'])
    await page.waitForSelector('.page-section tbody tr:has-text("Angre importen")')
  })

  test('an error of a cell names its column as the file does, not as the API', async () => {
    await open('/app/import?hva=Ansatt')
    const file = write(
      'ansatte.csv',
      'Nr;Fornavn;Ansatt fra\n900;Kari;31.31.2026\n901;Ola;01.02.2026\n901;Ola;01.02.2026\n',
    )
    await page.setInputFiles('input[type=file]', file)
    await page.click('button:has-text("Prøv uten å lagre")')
    await page.waitForSelector('.Imports-rejected li')
    const texts = await page.locator('.Imports-rejected li span').allTextContents()
    expect(texts).toEqual([
      'Ansatt fra er ikke en gyldig dato fra 1900 til 2199. Skriv den som 2024-05-01.',
      'Nr har en ugyldig verdi: linje 3 har samme nøkkel.',
    ])
  })

  test('a manager pastes revenue, and sees the line of an invalid cell', async () => {
    await open('/app/import', undefined, { email: 'leder@test.example', password: 'test' })
    await page
      .getByLabel('Eller lim inn fra et regneark')
      .fill('Dato\tAvdeling\tSalg\n2.3.2020\t20\t1 234,50\n3.3.2020\t20\tti\n')
    await page.click('button:has-text("Bruk det limte")')
    await page.waitForSelector('.Imports-mapping')
    await page.click('button:has-text("Prøv uten å lagre")')
    await page.waitForSelector('.Imports-rejected li:has-text("Linje 3")')
    await page.click('button:has-text("Importer den gyldige raden")')
    await page.waitForSelector('h2:text("Importert")')
    await expect.poll(() => browserFixture.revenue("Dato eq datetime('2020-03-02')")).toEqual([1234.5])
  })

  test('errors of an unreadable file are shown at the file field', async () => {
    await open('/app/import?hva=Anlegg')
    await page.setInputFiles('input[type=file]', write('tom.csv', ''))
    await page.waitForSelector('.problem:has-text("overskriftsraden mangler")')
    await page.setInputFiles('input[type=file]', write('uten.csv', 'Navn\nA\n'))
    await page.waitForSelector('.problem:has-text("Velg en kolonne for Anleggsnummer eller Ekstern id.")')
    await expect.poll(() => page.isDisabled('button:has-text("Prøv uten å lagre")')).toBe(true)
  })

  test.each(oppositeAppearances)('every step is accessible: $theme, $language, $width wide', async (appearance) => {
    await open('/app/import?hva=Anlegg', appearance)
    const hostile = '<img src=x onerror=alert(1)>'
    await page.setInputFiles('input[type=file]', write('alt.csv', `Nr;${hostile}\nIMP9;${hostile}\n;b\n`))
    await page.waitForSelector('.Imports-mapping')
    await page.click('.Imports-step:has(.Imports-mapping) > button')
    await page.waitForSelector('.Imports-rejected li')
    await expect.poll(() => getOverflow(page)).toBe(0)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
  })
})
