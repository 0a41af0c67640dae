// UI5's OData V4 model in Chromium, on a page of another origin.
import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { isAvailable } from '../support/requirements.ts'
import { openBrowser } from '../web/browser.ts'
import { useListeningTestServer } from './server.ts'

const project = join(import.meta.dirname, 'ui5')
const resources = join(project, 'node_modules/@openui5/sap.ui.core/src')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

/** Serves the page, and UI5 below `/resources/`. */
const pages: Server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://page').pathname)
  const file = path.startsWith('/resources/')
    ? join(resources, path.slice('/resources/'.length))
    : join(project, path === '/' ? 'index.html' : path)
  readFile(file).then(
    (content) => {
      response.setHeader('Content-Type', types[extname(file)] ?? 'text/plain')
      response.end(content)
    },
    () => response.writeHead(404).end(),
  )
})

let origin = ''

describe.runIf(isAvailable('ui5') && isAvailable('chromium'))('UI5', () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  })
  afterAll(() => pages.close())

  describe.each(databases)('on $name', (database) => {
    const served = useListeningTestServer(database, 'ui5', () => ({ settings: { corsOrigins: origin } }))

    test('its V4 model lists, creates, changes with If-Match, binds, and sends batches', async () => {
      const browser = await openBrowser()
      try {
        const page = await browser.newPage()
        const complaints: string[] = []
        page.on('console', (one) => complaints.push(one.text()))
        await page.goto(origin)
        const { key } = served.server.tenantA
        const program = `run(${JSON.stringify(served.address)}, ${JSON.stringify(key)})`
        const result = await page.evaluate(program).catch((error: unknown) => {
          throw new Error(`${String(error)}\n${complaints.join('\n')}`)
        })
        expect(result).toEqual({
          list: [
            { Id: 3, Fornavn: 'Åse', Stillingsprosent: null, department: 'Byggevarer' },
            { Id: 1, Fornavn: 'Kari', Stillingsprosent: '37.5', department: 'Byggevarer' },
          ],
          count: 2,
          created: { Navn: 'Kafé', Id: 4, AvdelingId: '20', Stillingsprosent: '37.5' },
          conflict: 412,
          title: 'Eier',
          batch: [
            ['P1', 'P2'],
            ['10', '20', '30', '40'],
          ],
        })
      } finally {
        await browser.close()
      }
    })
  })
})
