// Export screens by keyboard: line and retrieval details, reconciliation, retry, breaking a claim.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { oppositeAppearances, type Appearance } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'
import { getOverflow } from './layout-checks.ts'

describe.runIf(isAvailable('chromium'))('export details', () => {
  const browserFixture = useBrowser()
  let page: Page

  const open = async (path: string, appearance?: Appearance) => {
    page = await browserFixture.open(path, appearance)
  }

  const waiting = async () => (await browserFixture.transactions("Status eq 'Godkjent'")).map(({ Id }) => Id)

  test('overdue lines are shown first, and a line shows its history', async () => {
    await open('/app/eksport?liste=ute')
    await page.waitForSelector('.overdue:has-text("ikke eksportert etter tre dager")')
    const opener = page.locator('.page-section td .row-open').first()
    await opener.press('Enter')
    await page.waitForSelector('.DetailPane-pane .history li:has-text("Registrert")')
    const steps = await page.locator('.DetailPane-pane .history strong').allTextContents()
    expect(steps[0]).toBe('Registrert')
    expect(steps.at(-1)).toBe('Bokført')
    expect(new URL(page.url()).searchParams.has('linje')).toBe(true)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.DetailPane-pane', { state: 'detached' })
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('an open line has the names of its project and department', async () => {
    const [id] = (
      await browserFixture.transactions("ProsjektId eq 'P001' and AvdelingId eq '10' and Status eq 'Eksportert'")
    ).map(({ Id }) => Id)
    await open(`/app/eksport?linje=${id}`)
    await page.waitForSelector('.DetailPane-pane .fields dd:has-text("P001 Uteområde Tromsø")')
    await page.waitForSelector('.DetailPane-pane .fields dd:has-text("10 Byggevarer")')
  })

  test('Today says since when lines are ready, and when the last were booked, as the export does', async () => {
    await open('/app/i-dag')
    const since = async (selector: string) => {
      await page.waitForSelector(`${selector}:has-text("klart siden")`)
      const texts = await page.locator(selector).allTextContents()
      return texts.flatMap((text) => /klart siden .*/.exec(text)?.[0] ?? [])
    }
    const ofToday = await since('.Today-note')
    const bookedAt = / · sist (.+)$/.exec((await page.getByRole('link', { name: /^Bokført/ }).textContent()) ?? '')?.[1]
    await page.getByRole('link', { name: /Klart for eksport/ }).click()
    expect(ofToday).toHaveLength(1)
    expect(await since('.figure-note')).toContain(ofToday[0])
    await page.goto('/app/eksport?vis=historikk')
    await page.waitForSelector('section:has-text("Meldt tilbake") td')
    expect(
      await page.locator('section:has-text("Meldt tilbake") tr:has-text("Bokført")').first().textContent(),
    ).toContain(bookedAt ?? 'no time')
  })

  test('a lane opens the list that has its lines', async () => {
    await open('/app/eksport')
    for (const [lane, list] of [
      ['Eksportert', 'Eksportert'],
      ['Avvist av mottaker', 'Avvist av mottaker'],
      ['Klart', 'Ikke eksportert'],
    ] as const) {
      await page.locator('.figures').getByRole('link', { name: lane, exact: true }).click()
      await page.waitForSelector(`.mantine-SegmentedControl-label[data-active] :text-is("${list}")`)
    }
  })

  test('lines are searched, sorted and opened beside the list, where j and k open the neighbours', async () => {
    await open('/app/eksport')
    const rows = page.locator('.list tbody tr')
    await rows.first().waitFor()
    const amounts = async () =>
      (await page.locator('.list td[data-title="Beløp"]').allTextContents()).map((text) =>
        // Without a price there is none, which is first.
        text === '–' ? -Infinity : Number(text.replaceAll(/\s/g, '').replace(',', '.').replace('−', '-')),
      )
    const isRising = (all: readonly number[]) => all.every((one, index) => index === 0 || (all[index - 1] ?? 0) <= one)
    const heading = page.getByRole('columnheader', { name: 'Beløp' })
    expect(isRising(await amounts())).toBe(false)
    await heading.getByRole('button').click()
    await expect.poll(async () => isRising(await amounts())).toBe(true)
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    await rows.first().locator('input').check()
    const title = (text: string | null) =>
      page.waitForSelector(`.DetailPane-pane .drawer-title:has-text("Linje ${text}")`)
    const numbers = await page.locator('.list .row-open').allTextContents()
    await rows.first().click()
    await title(numbers[0] ?? null)
    await page.keyboard.press('j')
    await title(numbers[1] ?? null)
    await page.keyboard.press('k')
    await title(numbers[0] ?? null)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.DetailPane-pane', { state: 'detached' })
    await page.waitForSelector('.action-count:has-text("1 merket")')
    await page.getByRole('searchbox').fill(numbers[3] ?? '')
    await expect
      .poll(async () => (await page.locator('.list .row-open').allTextContents()).includes(numbers[3] ?? ''))
      .toBe(true)
    await expect.poll(() => rows.count()).toBeLessThan(numbers.length)
    await page.getByRole('searchbox').fill('finnes ikke')
    await page.waitForSelector('.state:has-text("Ingen treff")')
    await page.locator('label').getByText('Eksportert', { exact: true }).click()
    await rows.first().waitFor()
    expect(await page.getByRole('searchbox').count()).toBe(0)
  })

  test('on a phone lines are cards, sorted by a choice', async () => {
    await open('/app/eksport', oppositeAppearances[1])
    const first = page.locator('.list td[data-title="Amount"]').first()
    await first.waitFor()
    const before = await first.textContent()
    await page.getByRole('button', { name: 'View' }).click()
    await page.getByLabel('Sort by').selectOption('-amount')
    await expect.poll(() => first.textContent()).not.toBe(before)
    await page.keyboard.press('Escape')
    await page.locator('.list .row-open').first().click()
    await page.waitForSelector('[role=dialog] .history li')
  })

  test('where several lists are on a page, the arrow keys scroll it, and go from row to row within a list', async () => {
    await open('/app/eksport?vis=historikk')
    const openers = page.locator('.page-section tbody .row-open')
    await openers.nth(1).waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.className)
    for (const key of ['ArrowDown', 'j']) {
      await page.locator('body').press(key)
      expect(await focused()).not.toBe('row-open')
    }
    await openers.first().focus()
    await page.keyboard.press('ArrowDown')
    expect(await openers.nth(1).evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test('a retrieval is downloaded as JSON, CSV and receipt, and links to its lines', async () => {
    await open('/app/eksport?vis=historikk')
    await page.locator('.page-section tbody .row-open').first().click()
    await page.waitForSelector('[role=dialog] .related td')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[role=dialog] button:has-text("JSON")'),
    ])
    const retrieval = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(retrieval.lines).toHaveLength(retrieval.count)
    expect(retrieval.lines[0]).toMatchObject({ Eksportnokkel: `T${retrieval.lines[0].Id}.r1` })
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[role=dialog] button:has-text("CSV")'),
    ])
    expect(readFileSync(await table.path(), 'utf8')).toContain('Id;Revisjon;Eksportnokkel;Linjetype')
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[role=dialog] button:has-text("kvittering")'),
    ])
    const folder = mkdtempSync(join(tmpdir(), 'dagsverk-receipt-'))
    await receipt.saveAs(join(folder, receipt.suggestedFilename()))
    // The command of docs/material.md, run where the receipt was saved.
    const command = /^sed .* kvittering-17\.html .*$/m.exec(readFileSync('docs/material.md', 'utf8'))
    const checksumCommand = (command?.[0] ?? '').replace('17', String(retrieval.id))
    const [hex = ''] = execFileSync('sh', ['-c', checksumCommand], { cwd: folder, encoding: 'utf8' }).split(' ')
    expect(Buffer.from(hex, 'hex').toString('base64url')).toBe(retrieval.hash)
    const paper = readFileSync(join(folder, receipt.suggestedFilename()), 'utf8')
    expect(paper).toContain(hex)
    expect(paper).toContain('Teksten gir den kontrollsummen som ble ført.')
    await page.locator('[role=dialog] .related tbody a').first().click()
    await page.waitForSelector('.DetailPane-pane .history li')
    await page.goto(`file://${join(folder, receipt.suggestedFilename())}`)
    await expect.poll(() => page.locator('h1').textContent()).toBe(`Kvittering for uthenting ${retrieval.id}`)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
    rmSync(folder, { recursive: true })
  })

  test('reconciliation reports lines that the receiver has, and requeues those it lost', async () => {
    const [ready = 0] = await waiting()
    await open('/app/eksport?vis=avstemming')
    await page.getByLabel('Eller lim inn listen').fill(`Id;externalId\n1;B-10001\n${ready};NY-1\n`)
    await page.click('button:has-text("Sammenlign")')
    await page.waitForSelector('.Export-reconciliation')
    await page.click('button:has-text("Meld 1 bokført")')
    await page.waitForSelector('.alert:has-text("1 er meldt bokført.")')
    await expect.poll(() => waiting()).not.toContain(ready)
    await page.click('button:has-text("på nytt …")')
    await page.waitForSelector('[role=dialog] textarea')
    await page.fill('[role=dialog] textarea', 'Mottakeren mistet dem')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('.alert:has-text("venter på å bli hentet igjen")')
    await page.waitForSelector('.figures :text("Bare hos oss") + dd:text-is("0")')
    expect(new Set(await waiting())).toContain(2)
  })

  const post = (path: string, body: unknown) => browserFixture.call(`/prosjekt/${path}`, body)

  test('failed lines are retried and a claim is broken, each with a reason', async () => {
    const [failed = 0] = await waiting()
    await post('Transaksjonseksport/Eksportert', {
      failed: [{ id: failed, code: 'x', message: 'Ukjent <b>prosjekt</b>' }],
    })
    await open('/app/eksport?liste=feil')
    await page.waitForSelector('td:has-text("Ukjent <b>prosjekt</b>")')
    await page.locator('.page-section td input[type=checkbox]').first().press('Space')
    await page.click('.action-bar button:has-text("Prøv 1 igjen")')
    await page.fill('[role=dialog] textarea', 'Prosjektet er opprettet')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('.alert:has-text("1 er klare for mottakerens jobb igjen")')
    await post('TransaksjonsEksport/Batch', { max: 1 })
    await page.reload()
    await page.click('button:has-text("Bryt reservasjonen")')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('[role=dialog]:has-text("Skriv en begrunnelse.")')
    await page.fill('[role=dialog] textarea', 'Jobben henger')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('.alert:has-text("Reservasjonen er brutt")')
  })

  test('an approver of some departments is not offered what has lines of all, and sees which figures are of the company', async () => {
    await open('/app/hjelp')
    await page.route('**/app/okt', async (route) => {
      const response = await route.fetch()
      return route.fulfill({ json: { ...(await response.json()), departments: ['20'] } })
    })
    await page.goto('/app/eksport?vis=historikk')
    await page.waitForSelector('.hint:has-text("gjelder hele firmaet")')
    const retrievals = page.getByRole('region', { name: 'Hentet' })
    await retrievals.locator('tbody tr').first().waitFor()
    expect(await retrievals.locator('tbody').getByRole('button').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Avstemming' }).count()).toBe(0)
  })

  test('a line reported twice raises an alert that links to it', async () => {
    const [, twice = 0] = await waiting()
    for (const externalId of ['A-1', 'A-2'])
      await post('Transaksjonseksport/Eksportert', { items: [{ id: twice, externalId }] })
    await open('/app/eksport?vis=historikk')
    await page.click(`.cards tr:has-text("A-2") a:has-text("Linje ${twice}")`)
    await page.waitForSelector('.DetailPane-pane .history li:has-text("med to numre hos mottakeren")')
  })

  test('a retrieval of more than 1,000 lines is counted and undone whole', async () => {
    const lines = Array.from({ length: 1001 }, (_, index) => ({
      Dato: '2026-11-13',
      ProsjektId: 'P003',
      Varenavn: 'Mange',
      Antall: 1,
      Salgspris: 10,
      EksternId: `mange-${index}`,
    }))
    const { resultater } = await post('Transaksjon/Batch', lines)
    const ids = resultater.map(({ id }: { id: number }) => id)
    await post('Transaksjon/Godkjenn', { ids })
    await browserFixture.call(`/prosjekt/TransaksjonsEksport?$filter=Varenavn eq 'Mange'`)
    await post('Transaksjonseksport/Eksportert', { ids })
    await open('/app/eksport?vis=historikk')
    await page.locator('.page-section tbody .row-open').first().click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText(/^Meldt bokført 1\s001 · Gjenstår 0$/).waitFor()
    await drawer.getByText(/De første 1\s000 av 1\s001\./).waitFor()
    await drawer.getByRole('button', { name: /^Angre eksport av 1\s001/ }).waitFor()
  })

  test.each(oppositeAppearances)('reconciliation is accessible: $theme, $language, $width wide', async (appearance) => {
    await open('/app/eksport?vis=avstemming', appearance)
    await page.fill('.panel textarea', 'Id\n999999\n2\n')
    await page.locator('.panel > button').last().click()
    await page.waitForSelector('.Export-reconciliation td')
    await expect.poll(() => getOverflow(page)).toBe(0)
    await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
  })
})
