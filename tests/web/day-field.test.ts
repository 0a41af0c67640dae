// Date fields: in the language of the app, which may not be the browser's.
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('a date field', () => {
  const browserFixture = useBrowser()

  test.each([
    {
      theme: 'light',
      language: 'nb',
      typed: '14.5.2026',
      shown: '14.05.2026',
      month: 'mai 2026',
      day: '15 mai 2026',
      from: 'Fra',
    },
    {
      theme: 'dark',
      language: 'en',
      typed: '14/5/2026',
      shown: '14/05/2026',
      month: 'May 2026',
      day: '15 May 2026',
      from: 'From',
    },
  ] as const)('is typed, shown and picked in the language of the app: $language', async (texts) => {
    const { theme, language } = texts
    const other = language === 'nb' ? 'en' : 'nb'
    const page = await browserFixture.open('/app/omsetning?vis=mottatt', { theme, language: other, width: 1280 })
    await page
      .getByText(language === 'nb' ? 'NO' : 'EN', { exact: true })
      .first()
      .click()
    const field = page.getByRole('textbox', { name: texts.from, exact: true })
    await field.fill(texts.typed)
    await expect.poll(() => page.url()).toContain('fra=2026-05-14')
    await page.getByText(texts.month, { exact: true }).waitFor()
    expect(await findAccessibilityProblems(page)).toEqual([])
    await field.press('Tab')
    await expect.poll(() => field.inputValue()).toBe(texts.shown)
    await field.click()
    await page.getByRole('button', { name: texts.day, exact: true }).click()
    await expect.poll(() => page.url()).toContain('fra=2026-05-15')
  })

  test('keeps a text that is no date with an error, until it has a date or is emptied', async () => {
    const page = await browserFixture.open('/app/omsetning?vis=mottatt&fra=2026-05-14')
    const field = page.getByRole('textbox', { name: 'Fra', exact: true })
    const error = page.getByText(/er ikke en dato i kalenderen/)
    await field.fill('31.4.2026')
    expect(await error.count()).toBe(0)
    await field.press('Tab')
    await page.getByText(/«31.4.2026» er ikke en dato i kalenderen. Skriv for eksempel \d\d.\d\d.\d{4}./).waitFor()
    expect(await field.inputValue()).toBe('31.4.2026')
    expect(await findAccessibilityProblems(page)).toEqual([])
    expect(page.url()).toContain('fra=2026-05-14')
    await field.fill('300426')
    await field.press('Tab')
    await expect.poll(() => page.url()).toContain('fra=2026-04-30')
    await expect.poll(() => field.inputValue()).toBe('30.04.2026')
    await expect.poll(() => error.count()).toBe(0)
    await field.fill('i fjor')
    await field.press('Tab')
    await error.waitFor()
    await field.fill('')
    await expect.poll(() => page.url()).not.toContain('fra=')
    await expect.poll(() => error.count()).toBe(0)
  })

  test('shows the date that is chosen beside it in place of a text that is none', async () => {
    const page = await browserFixture.open('/app/omsetning?fra=2026-05-01&til=2026-05-31')
    const field = page.getByRole('textbox', { name: 'Fra', exact: true })
    await field.fill('31.2.2026')
    await field.press('Tab')
    await page.getByText(/«31.2.2026» er ikke en dato/).waitFor()
    await page.getByText('Måned', { exact: true }).click()
    await expect.poll(() => field.inputValue()).toMatch(/^01\.\d\d\.\d{4}$/)
    await expect.poll(() => page.getByText(/er ikke en dato/).count()).toBe(0)
  })

  test('keeps a form from being sent with a text that is no date, and with another date than is shown', async () => {
    const page = await browserFixture.open('/app/uttak')
    await page.getByLabel('Vare', { exact: true }).fill('Uten dato')
    await page.getByLabel('Antall').fill('1')
    const field = page.getByRole('textbox', { name: 'Dato' })
    await field.fill('31.02.2026')
    await field.press('Enter')
    await page.getByText('«31.02.2026» er ikke en dato i kalenderen.').waitFor()
    await field.fill('')
    await field.press('Enter')
    await page.getByText('Velg en dato.').waitFor()
    expect(await browserFixture.transactions("Varenavn eq 'Uten dato'")).toEqual([])
    await field.fill('121126')
    await field.press('Enter')
    await page.waitForSelector('.card-list li:has-text("Uten dato"):has-text("12. nov.")')
    await page.goto('/app/register?liste=Ansatt&id=1')
    await page.click('[role=dialog] button:has-text("Rediger")')
    const born = page.getByRole('textbox', { name: 'Fødselsdato' })
    await born.fill('30.2.1980')
    await page.click('[role=dialog] button[type=submit]')
    await page.getByText('«30.2.1980» er ikke en dato i kalenderen.').waitFor()
    await born.fill('29.2.1980')
    await page.click('[role=dialog] button[type=submit]')
    await page.waitForSelector('[role=dialog] .fields dd:has-text("29. feb. 1980")')
  })

  test('accepts a typed date after the end of the period, and says that it is', async () => {
    const page = await browserFixture.open('/app/omsetning?fra=2026-05-01&til=2026-05-31')
    await page.getByRole('textbox', { name: 'Fra', exact: true }).fill('2.6.2026')
    await expect.poll(() => page.url()).toContain('fra=2026-06-02')
    await page.getByText('Datoen er etter 31.05.2026.').waitFor()
    await page.getByText('Datoen er før 02.06.2026.').waitFor()
    expect(await page.locator('.summary:has-text("Sum"), .chart svg').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Til', exact: true }).fill('30.6.2026')
    await expect.poll(() => page.getByText(/^Datoen er/).count()).toBe(0)
  })

  test("is the phone's own where there is no mouse", async () => {
    const page = await browserFixture.open('/app/uttak')
    const type = () =>
      page.getByRole('textbox', { name: 'Dato' }).or(page.locator('input[type=date]')).getAttribute('type')
    expect(await type()).not.toBe('date')
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await expect.poll(type).toBe('date')
  })
})
