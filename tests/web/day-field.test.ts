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

  test('keeps its date where there is no such day, and has none when it is emptied', async () => {
    const page = await browserFixture.open('/app/omsetning?vis=mottatt&fra=2026-05-14')
    const field = page.getByRole('textbox', { name: 'Fra', exact: true })
    await field.fill('31.4.2026')
    await field.press('Tab')
    await expect.poll(() => field.inputValue()).toBe('14.05.2026')
    expect(page.url()).toContain('fra=2026-05-14')
    await field.fill('')
    await expect.poll(() => page.url()).not.toContain('fra=')
  })

  test('accepts a typed date after the end of the period', async () => {
    const page = await browserFixture.open('/app/omsetning?fra=2026-05-01&til=2026-05-31')
    await page.getByRole('textbox', { name: 'Fra', exact: true }).fill('2.6.2026')
    await expect.poll(() => page.url()).toContain('fra=2026-06-02')
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
