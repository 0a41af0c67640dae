// BrowserFixture: a server and a browser for a `describe`; what a test opens is closed after it.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { startSandbox } from '../support/sandbox.ts'
import { administrator, openBrowser, openContext, type Appearance, type Person } from './browser.ts'
import { ContextPool } from './context-pool.ts'

/** A server with the app. */
export interface AppServer {
  readonly address: string
  readonly stop: () => Promise<unknown>
}

/** Call in a `describe`; starts the server and the browser before its tests and stops them after. */
export function useBrowser(start: () => Promise<AppServer> = startSandbox) {
  let server: AppServer
  let browser: Browser
  let contexts: ContextPool
  /** Of the whole `describe`. */
  let shared: readonly Page[]
  const pages = () => browser.contexts().flatMap((context) => context.pages())
  beforeAll(async () => {
    server = await start()
    browser = await openBrowser()
    contexts = new ContextPool(browser, server.address)
  })
  beforeEach(() => {
    shared = pages()
  })
  afterEach(async ({ task }) => {
    for (const page of pages()) if (!shared.includes(page) && !contexts.isKept(page)) await page.close()
    if (task.result?.state === 'fail') await contexts.clear()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const newPage = async (appearance?: Appearance, more?: BrowserContextOptions): Promise<Page> =>
    more === undefined
      ? contexts.newPage(appearance)
      : (await openContext(browser, server.address, appearance, more)).newPage()

  /** Calls the API with the key of the sandbox, and returns the JSON. */
  const call = async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const reply = await fetch(`${server.address}${path}`, {
      method,
      headers: { 'tb-key': 'test-key', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    expect(reply.ok, text).toBe(true)
    return JSON.parse(text || 'null')
  }

  return {
    /** Base URL of the server. */
    get address() {
      return server.address
    },
    get browser() {
      return browser
    },
    /** Opens a page, at no address. */
    newPage,
    /** Opens a page of the app, as an administrator unless another person is given. */
    open: (path: string, appearance?: Appearance, who: Person = administrator) => contexts.open(path, appearance, who),
    call,
    /** Material transactions that match a `$filter`. */
    transactions: async (filter: string): Promise<{ Id: number; Status: string }[]> => {
      const query = new URLSearchParams({ $filter: filter, $orderby: 'Id' })
      return (await call(`/odata/Transaksjon?${query.toString()}`)).value
    },
    /** Amounts of the revenue records that match a `$filter`. */
    revenue: async (filter: string): Promise<number[]> => {
      const query = new URLSearchParams({ $filter: filter })
      const rows: { Omsetning: number }[] = await call(`/dev/Omsetning/Finn?${query.toString()}`)
      return rows.map(({ Omsetning }) => Omsetning)
    },
  }
}
