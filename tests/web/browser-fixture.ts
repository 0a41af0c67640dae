// Somebody at a sandbox of their own: a browser, and for each test pages that are closed behind it.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startSandbox, type RunningSandbox } from '../support/sandbox.ts'
import {
  administrator,
  openBrowser,
  openContext,
  signIn,
  type Look,
  type Person,
} from './browser.ts'

export interface Desk {
  /** Of the sandbox. */
  readonly address: string
  /** A page at an address of the app; an administrator's, unless somebody else is named. */
  readonly open: (path: string, look?: Look, who?: Person) => Promise<Page>
}

/** Called in a `describe`: what it starts, ends with it. */
export function sitDown(): Desk {
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
    open: async (path, look, who = administrator) => {
      const page = await (await openContext(browser, sandbox.address, look)).newPage()
      await signIn(page, path, who)
      return page
    },
  }
}
