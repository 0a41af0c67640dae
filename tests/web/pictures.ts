// Pictures of twelve screens, of half the size, that a test compares and `npm run pictures` renews.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { defaultAppearance, openContext, signIn, sizeOf, type Appearance } from './browser.ts'
import { openScreen, screens, type Screen } from './screens.ts'

export interface Picture extends Appearance {
  /** The file. */
  readonly path: string
  readonly screen: Screen
}

const names = [
  'today-light-nb-1280',
  'today-dark-en-375',
  'approvals-light-nb-1280',
  'approvals-dark-en-375',
  'approvals-line-dark-nb-1280',
  'approvals-empty-light-en-1280',
  'material-entry-light-nb-375',
  'revenue-dark-en-1280',
  'revenue-days-light-nb-1280',
  'revenue-calendar-dark-nb-1280',
  'export-light-en-1280',
  'employees-dark-en-375',
]

export const pictures: readonly Picture[] = names.map((name) => {
  const [screenName, theme, language, width] = /^(.+)-(\w+)-(\w+)-(\d+)$/.exec(name)?.slice(1) ?? []
  const screen = screens.find((one) => one.name === screenName)
  if (screen === undefined) throw new Error(`no screen for the picture ${name}`)
  return {
    path: join(import.meta.dirname, 'pictures', `${name}.png`),
    screen,
    theme: theme === 'dark' ? 'dark' : 'light',
    language: language === 'en' ? 'en' : 'nb',
    width: width === '375' ? 375 : 1280,
  }
})

/** Signs in once for each language, and returns what opens the screen of a picture, so that a screenshot has its size. */
export async function signInForPictures(browser: Browser, address: string) {
  const contextFor = async (language: Appearance['language']) => {
    const appearance = { ...defaultAppearance, language }
    const context = await openContext(browser, address, appearance, { deviceScaleFactor: 0.5 })
    // It stays open: a page that is opened beside it has the app compiled.
    await signIn(await context.newPage())
    return context
  }
  const contexts = { nb: await contextFor('nb'), en: await contextFor('en') }
  return async ({ screen, theme, language, width }: Picture): Promise<Page> => {
    const page = await contexts[language].newPage()
    await page.setViewportSize(sizeOf(width))
    await page.emulateMedia({ colorScheme: theme })
    await openScreen(page, screen)
    return page
  }
}
