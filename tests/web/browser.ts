// Debian's Chromium, driven against a running server, as somebody who sits at it.
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'

export type Theme = 'light' | 'dark'

export interface Look {
  readonly theme: Theme
  readonly language: 'nb' | 'en'
  readonly width: 1280 | 375
}

export const looks: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) =>
  (['nb', 'en'] as const).flatMap((language) =>
    ([1280, 375] as const).map((width) => ({ theme, language, width })),
  ),
)

/** Between them every theme, language and width: for what a screen shows on the way, the screen itself being seen in all. */
export const oppositeLooks: readonly Look[] = [
  { theme: 'light', language: 'nb', width: 1280 },
  { theme: 'dark', language: 'en', width: 375 },
]

export function openBrowser(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

export function openContext(
  browser: Browser,
  address: string,
  { theme, language, width }: Look = { theme: 'light', language: 'nb', width: 1280 },
  more: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    // It would keep the whole app for each of a hundred contexts.
    serviceWorkers: 'block',
    baseURL: address,
    viewport: { width, height: width === 375 ? 812 : 860 },
    colorScheme: theme,
    locale: language === 'nb' ? 'nb-NO' : 'en-GB',
    reducedMotion: 'reduce',
    ...more,
  })
}

/** What the driver says of itself in the page's console. */
export function isOurs(text: string): boolean {
  return text.includes('blocked by Playwright')
}

export interface Person {
  readonly email: string
  readonly password: string
}

const manager: Person = { email: 'leder@test.example', password: 'test' }

export const administrator: Person = { email: 'admin@test.example', password: 'test' }

/** Signs in at an address of the app, and waits until its screen is there. */
export async function signIn(page: Page, path = '/app/i-dag', who = manager): Promise<void> {
  await page.goto(path)
  await page.fill('input[name=email]', who.email)
  await page.fill('input[name=password]', who.password)
  await page.click('button[type=submit]')
  await page.waitForSelector('.shell h1')
}
