// ContextPool: browser contexts that later tests use again, with no data of earlier ones.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { defaultAppearance, openContext, sizeOf, submitPassword, type Appearance, type Person } from './browser.ts'

type StoredCookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** A context, and a page that keeps its renderer process alive: a page that is opened beside it has the app compiled. */
interface PooledContext {
  readonly context: BrowserContext
  readonly keptPage: Page
  /** Of the people who have signed in in it, by e-mail address. */
  readonly cookies: Map<string, StoredCookies>
}

/**
 * Contexts of one server by language, which a page cannot change later. A page in a new context takes three times the
 * CPU of one in a used context; a test that needs other options opens a context of its own.
 */
export class ContextPool {
  readonly #browser: Browser
  readonly #address: string
  readonly #pooled = new Map<Appearance['language'], PooledContext[]>()

  constructor(browser: Browser, address: string) {
    this.#browser = browser
    this.#address = address
  }

  /** Whether the page is one that keeps a process alive, which no test has opened. */
  isKept(page: Page): boolean {
    return this.#all().some(({ keptPage }) => keptPage === page)
  }

  /** Opens a page, at no address, in a context without cookies or stored data. */
  async newPage(appearance?: Appearance): Promise<Page> {
    const { context } = await this.#take(appearance)
    return this.#newPage(context, appearance)
  }

  /** Opens a page of the app in a context without other data than the session of the person. */
  async open(path: string, appearance: Appearance | undefined, who: Person): Promise<Page> {
    const { context, cookies } = await this.#take(appearance)
    await context.addCookies(cookies.get(who.email) ?? [])
    const page = await this.#newPage(context, appearance)
    await page.goto(path)
    const screen = page.locator('.shell h1')
    const email = page.locator('input[name=email]')
    await screen.or(email).first().waitFor()
    // Sign-in at the first time, and where a test has ended the session.
    if (await email.isVisible()) {
      await submitPassword(page, who)
      cookies.set(who.email, await context.cookies())
    }
    return page
  }

  /** Closes the contexts without an open page: a failed test may have left their network or storage changed. */
  async clear(): Promise<void> {
    for (const { context } of this.#all().filter(isFree)) await context.close()
  }

  async #newPage(context: BrowserContext, { theme, width } = defaultAppearance): Promise<Page> {
    const page = await context.newPage()
    await page.setViewportSize(sizeOf(width))
    await page.emulateMedia({ colorScheme: theme })
    return page
  }

  #all(): PooledContext[] {
    return [...this.#pooled.values()].flat()
  }

  /** One that no test uses. */
  async #take({ language } = defaultAppearance): Promise<PooledContext> {
    const pooled = this.#pooled.get(language) ?? []
    this.#pooled.set(language, pooled)
    const free = pooled.find(isFree)
    if (free !== undefined) {
      await free.context.clearCookies()
      const session = await free.context.newCDPSession(free.keptPage)
      await session.send('Storage.clearDataForOrigin', { origin: this.#address, storageTypes: 'all' })
      await session.detach()
      return free
    }
    const context = await openContext(this.#browser, this.#address, { ...defaultAppearance, language })
    const keptPage = await context.newPage()
    await keptPage.goto('/live')
    const added = { context, keptPage, cookies: new Map<string, StoredCookies>() }
    pooled.push(added)
    context.on('close', () => pooled.splice(pooled.indexOf(added), 1))
    return added
  }
}

/** Whether no test has a page of it. */
function isFree({ context }: PooledContext): boolean {
  return context.pages().length === 1
}
