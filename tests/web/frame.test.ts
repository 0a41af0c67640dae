// The frame of every screen: account menu, command palette, and what is shown in place of a screen without access.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { findAccessibilityProblems } from './axe.ts'
import { administrator, oppositeAppearances, typeInPalette, waitForPaletteChoice } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

describe.runIf(isAvailable('chromium'))('the frame', () => {
  const browserFixture = useBrowser()

  describe('without access', () => {
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

  test('nothing moves for people who prefer reduced motion', async () => {
    const page = await browserFixture.open('/app/register')
    await page.waitForSelector('.list td')
    const started = await page.evaluateHandle(() => {
      const types: string[] = []
      for (const type of ['transitionrun', 'animationiteration'])
        document.addEventListener(type, () => types.push(type))
      return types
    })
    await page.setViewportSize({ width: 820, height: 860 })
    await expect.poll(() => page.locator('.list thead').isVisible()).toBe(false)
    await page.locator('.list td').first().hover()
    expect(await started.jsonValue()).toEqual([])
  })

  describe('the account menu', () => {
    test.each(oppositeAppearances)('names the person, and its entries are touch targets: %j', async (appearance) => {
      const page = await browserFixture.open('/app/hjelp', appearance)
      const button = page.locator('header button[aria-haspopup=menu]').last()
      await expect.poll(() => button.textContent()).toBe('N')
      await button.click()
      const who = page.locator('.account-who > *')
      await expect.poll(() => who.allTextContents()).toEqual(['Nora Dahl', administrator.email, 'Administrator'])
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      if (appearance.width !== 375) return
      const heights = () => page.getByRole('menuitem').evaluateAll((all) => all.map((one) => one.clientHeight))
      await expect.poll(async () => Math.min(...(await heights()))).toBeGreaterThanOrEqual(44)
    })
  })

  describe('the command palette', () => {
    const { call } = browserFixture
    let page: Page

    const register = (source: string, ...items: readonly object[]) =>
      call(
        '/prosjekt/Transaksjon/Batch',
        items.map((more) => ({
          Dato: '2026-11-13',
          ProsjektId: 'P003',
          Antall: 1,
          Salgspris: 12.5,
          Enhet: 'm',
          Kilde: source,
          ...more,
        })),
      )

    const choose = async (typed: string, label: string) => {
      await typeInPalette(page, typed)
      await waitForPaletteChoice(page, label)
      await page.keyboard.press('Enter')
    }

    test.each([
      [oppositeAppearances[0], 'registrer 2,5 palettkabel på P003', 'Registrer 2,5 m Palettkabel'],
      [oppositeAppearances[1], 'register 2.5 palettkabel on P003', 'Register 2.5 m Palettkabel'],
    ] as const)('registers a line of a known item: %j', async (appearance, typed, label) => {
      const source = `palett-${appearance?.language}`
      await register(source, { Varenavn: 'Palettkabel', VareId: source })
      page = await browserFixture.open('/app/hjelp', appearance)
      await typeInPalette(page, typed)
      await page.waitForSelector(
        `[role=option][aria-selected=true]:has-text("${label} på P003"), [role=option][aria-selected=true]:has-text("${label} on P003")`,
      )
      await expect.poll(() => findAccessibilityProblems(page)).toEqual([])
      await page.keyboard.press('Enter')
      await page.waitForURL(/uttak#mine/)
      await page.waitForSelector('.card-list li:has-text("Palettkabel")')
      const query = new URLSearchParams({ $filter: "Kilde eq 'app'", $orderby: 'Id desc', $top: '1' })
      const { value } = await call(`/odata/Transaksjon?${query.toString()}`)
      expect(value).toMatchObject([
        { Varenavn: 'Palettkabel', ProsjektId: 'P003', Antall: 2.5, Enhet: 'm', Salgspris: 12.5 },
      ])
    })

    test('does not offer to register on a project that does not exist', async () => {
      await register('palett-ukjent', { Varenavn: 'Ukjentkabel' })
      page = await browserFixture.open('/app/hjelp')
      await typeInPalette(page, 'registrer 3 ukjentkabel på P999')
      await page.waitForSelector('[role=listbox]:has-text("Ingen treff")')
    })

    test('approves all without exceptions, after it has shown how many they are and their sum', async () => {
      page = await browserFixture.open('/app/hjelp')
      await choose('godkjenn alt', 'Godkjenn alt uten avvik')
      await page.waitForURL(/godkjenning\?merket=uten-avvik/)
      const button = page.getByRole('button', { name: /^Merk alle \d+ uten avvik$/ })
      const [count] = /\d+/.exec((await button.textContent()) ?? '') ?? []
      await page.waitForSelector(`.action-count:has-text("${count} merket")`)
      await page.keyboard.press('a')
      await page.waitForSelector(`.alert:has-text("${count} godkjent (")`)
    })

    test('invites a person with the address that was typed', async () => {
      page = await browserFixture.open('/app/hjelp')
      await choose('inviter ny@firma.example', 'Inviter en person: ny@firma.example')
      const email = page.getByRole('dialog').getByLabel('E-post')
      await expect.poll(() => email.inputValue()).toBe('ny@firma.example')
      await page.keyboard.press('Escape')
      await page.waitForURL(/administrasjon\?vis=personer$/)
    })

    test('finds lines by item and by number, and days', async () => {
      const { resultater } = await register('palett-linje', { Varenavn: 'Sjelden palettvare' })
      page = await browserFixture.open('/app/hjelp')
      for (const typed of ['sjelden palettvare', String(resultater[0].id)]) {
        await choose(typed, 'Sjelden palettvare')
        await page.waitForSelector('.drawer-title:has-text("Sjelden palettvare")')
        await page.keyboard.press('Escape')
        await page.waitForSelector('.drawer-title', { state: 'detached' })
      }
      await choose('12. nov', 'torsdag 12. november 2026')
      await page.waitForURL(/omsetning\?vis=dager&dag=2026-11-12/)
      await page.waitForSelector('[data-cell="0:0"]')
    })
  })
})
