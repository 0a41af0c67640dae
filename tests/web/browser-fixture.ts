// BrowserFixture: a sandbox and a browser for a `describe`; its pages are closed after each test.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'
import {
  administrator,
  openBrowser,
  openContext,
  signIn,
  type Appearance,
  type Person,
} from './browser.ts'

export interface BrowserFixture {
  /** Base URL of the sandbox. */
  readonly address: string
  /** Opens a page of the app, as an administrator unless another person is given. */
  readonly open: (path: string, appearance?: Appearance, who?: Person) => Promise<Page>
}

/** Call in a `describe`; starts the sandbox and the browser before its tests and stops them after. */
export function useBrowser(): BrowserFixture {
  let sandbox: RunningSandbox
  let browser: Browser
  beforeAll(async () => {
    sandbox = await startSandbox()
    browser = await openBrowser()
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  afterAll(async () => {
    await browser.close()
    await sandbox.stop()
  })
  return {
    get address() {
      return sandbox.address
    },
    open: async (path, appearance, who = administrator) => {
      const page = await (await openContext(browser, sandbox.address, appearance)).newPage()
      await signIn(page, path, who)
      return page
    },
  }
}
