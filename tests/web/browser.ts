// Chromium of Debian, or its headless shell, controlled by Playwright: launching, contexts and signing in.
import { existsSync } from 'node:fs'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core'

export type Theme = 'light' | 'dark'

export interface Appearance {
  readonly theme: Theme
  readonly language: 'nb' | 'en'
  readonly width: number
}

export const defaultAppearance: Appearance = { theme: 'light', language: 'nb', width: 1280 }

const everyAppearance: readonly Appearance[] = (['light', 'dark'] as const).flatMap((theme) =>
  (['nb', 'en'] as const).flatMap((language) => ([1280, 375] as const).map((width) => ({ theme, language, width }))),
)

/** The four of eight in which every pair of theme, language and width occurs; all eight with `RUNS=2`. */
export const appearances: readonly Appearance[] =
  process.env['RUNS'] === undefined ? [0, 3, 5, 6].flatMap((index) => everyAppearance[index] ?? []) : everyAppearance

/** Cover every theme, language and width between them, for intermediate states of a screen. */
export const oppositeAppearances: readonly Appearance[] = [
  { theme: 'light', language: 'nb', width: 1280 },
  { theme: 'dark', language: 'en', width: 375 },
]

const executables = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

export function openBrowser(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: executables.find(existsSync) ?? executables[1],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // A page that is opened beside another of the same context then needs no process of its own.
      '--process-per-site',
      '--disable-quic',
      '--no-first-run',
      // The headless shell then renders text as Chromium does.
      '--font-render-hinting=none',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

/** Of the viewport, in CSS pixels. */
export function sizeOf(width: number) {
  return { width, height: width === 375 ? 812 : 860 }
}

export function openContext(
  browser: Browser,
  address: string,
  { theme, language, width } = defaultAppearance,
  more: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    // A service worker would cache the whole app in each of a hundred contexts.
    serviceWorkers: 'block',
    baseURL: address,
    viewport: sizeOf(width),
    colorScheme: theme,
    locale: language === 'nb' ? 'nb-NO' : 'en-GB',
    reducedMotion: 'reduce',
    ...more,
  })
}

/** Types into the text field that gets the focus: keys that are sent before a dialog has it are lost. */
export async function typeWhenFocused(page: Page, text: string): Promise<void> {
  await page.waitForSelector('input:not([type=checkbox]):focus, textarea:focus')
  await page.keyboard.type(text)
}

/** Opens the command palette and types. */
export async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.waitForSelector('[role=combobox]:focus')
  await typeWhenFocused(page, text)
}

/** Waits until the command palette has found what matches the whole text: Enter before would choose from less. */
export async function waitForPaletteChoice(page: Page, label: string): Promise<void> {
  const hasCounted = page.getByRole('status').filter({ hasText: /^\d+ (treff|match)/ })
  await page
    .getByRole('dialog')
    .filter({ has: hasCounted })
    .locator(`[role=option][aria-selected=true]:has-text("${label}")`)
    .waitFor()
}

/** Waits for the choices of a combobox: they open once they are loaded. */
export async function waitForChoices(field: Locator): Promise<void> {
  await field.click()
  await field.page().getByRole('option').first().waitFor()
}

/** Waits until an opened dialog has the focus: keys that are sent earlier move it elsewhere. */
export async function waitForDialog(page: Page): Promise<void> {
  await page.waitForSelector('[role=dialog] :focus')
}

/** Whether a console message comes from Playwright itself. */
export function isDriverMessage(text: string): boolean {
  return text.includes('blocked by Playwright')
}

export interface Person {
  readonly email: string
  readonly password: string
}

export const manager: Person = { email: 'leder@test.example', password: 'test' }

export const administrator: Person = { email: 'admin@test.example', password: 'test' }

/** Signs in at a path of the app, and waits for its screen. */
export async function signIn(page: Page, path = '/app/i-dag', who = manager): Promise<void> {
  await page.goto(path)
  await submitPassword(page, who)
}

/** Signs in at the form that the page shows, and waits for the screen. */
export async function submitPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.click('button[type=submit]')
  await page.waitForSelector('.shell h1')
}

/** Navigates as a link does, through the not-found page, so that the previous screen is never mistaken for this one. */
export async function follow(page: Page, path: string): Promise<void> {
  const notFound = ':is(:text-is("Siden finnes ikke"), :text-is("There is no such page"))'
  const go = (to: string) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(to)})`)
  await go('/app/finnes-ikke')
  await page.waitForSelector(`h1${notFound}`)
  await go(path)
  await page.waitForSelector(`h1:not(${notFound})`)
}

/** Signs in, and waits until the stream of live updates is open. */
export async function signInLive(page: Page, path: string): Promise<void> {
  const stream = page.waitForResponse('**/app/data/hendelser?*')
  await signIn(page, path)
  await stream
}
