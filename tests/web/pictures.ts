// Pictures of twelve screens, of half the size, that a test compares and `npm run pictures` renews.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openContext, signIn, type Appearance } from './browser.ts'
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

/** Opens the screen of a picture, so that a screenshot has its size. */
export async function openPictured(browser: Browser, address: string, picture: Picture): Promise<Page> {
  const context = await openContext(browser, address, picture, { deviceScaleFactor: 0.5 })
  const page = await context.newPage()
  await signIn(page)
  await openScreen(page, picture.screen)
  return page
}
