// Fuzz test of all endpoints: never a 500, and a refused request changes nothing.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicRoutes } from '../../src/api/public-routes.ts'
import { routes } from '../../src/api/routes.ts'
import { errorCatalog } from '../../src/errors/catalog.ts'
import { crossCompanyStatement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { useTestServer, type TestServer } from '../support/server.ts'
import { parseReplies, openRawConnection, request } from '../http/conversation.ts'
import {
  randomReads,
  requestsNearRoutes,
  randomJsonWrites,
  randomXmlWrites,
  type RandomRequest,
} from './arbitraries.ts'
import { seed } from '../support/random.ts'

function pathsOf(method: string) {
  return routes.filter((route) => route.method === method).map(({ path }) => path)
}

const all = [...routes, ...publicRoutes].map(({ path }) => path.replace(':id', '1'))

const kinds: readonly [name: string, requests: fc.Arbitrary<RandomRequest>][] = [
  ['reads with any query', randomReads(pathsOf('GET'))],
  ['writes with any JSON', randomJsonWrites(pathsOf('POST'))],
  ['writes with any XML', randomXmlWrites(pathsOf('POST'))],
  ['setups with any JSON', randomJsonWrites(['/setup'])],
  ['any URL, method and header', requestsNearRoutes(all)],
]

/** `RUNS=20` runs twenty times as many requests, `SEED=…` sends others. */
const runs = Number(process.env['RUNS'] ?? 1)
const usualRuns = { SQLite: 2000, PostgreSQL: 250 }

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'fuzz')
  let address: string
  const before = Object.getOwnPropertyNames(Object.prototype).join()
  beforeAll(async () => {
    address = await server.http.listen(0, '127.0.0.1')
    const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100, Merknad: 'en' }
    await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { json: [row, row] })
  })

  const send = async ({ method, address: to, headers, body }: RandomRequest) => {
    const bytes = Buffer.from(body)
    const conversation = openRawConnection(address)
    const head = request([
      `${method} ${to} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `tb-key: ${server.tenantA.key}`,
      ...headers,
      ...(body === '' && method !== 'POST' ? [] : [`Content-Length: ${bytes.length}`]),
    ])
    await conversation.send(Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
    const responseText = await conversation.ended
    const [reply] =
      method === 'HEAD' ? [{ ...statusOf(responseText), headers: {}, body: '' }] : parseReplies(responseText)
    if (reply === undefined) throw new Error('closed without an answer')
    return reply
  }

  test.each(kinds)(
    '%s',
    async (_, requests) => {
      const state = { before: await databaseFingerprint(server) }
      const details = await fc.check(
        fc.asyncProperty(requests, async (sent) => {
          const { status, headers, body } = await send(sent)
          expect(expectedStatuses.has(status), `${status} ${body}`).toBe(true)
          if (status < 400) {
            // Retrievals and writes change the database.
            state.before = await databaseFingerprint(server)
            return
          }
          // Browsers get some errors as a page.
          const isPage = headers['content-type']?.startsWith('text/html') === true
          if (sent.method !== 'HEAD' && !isPage) expect(Object.keys(errorCatalog)).toContain(codeIn(body))
          expect(body).not.toMatch(/SQLITE|node_modules|\.ts:\d|\bselect .* from\b|at Object\./i)
          if (sent.method !== 'GET') expect(await databaseFingerprint(server)).toBe(state.before)
        }),
        { seed, numRuns: runs * usualRuns[database.name], interruptAfterTimeLimit: 240_000 * runs },
      )
      if (details.failed)
        throw new Error(`SEED=${details.seed}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
      expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before)
      expect((await server.call('GET', '/livez')).status).toBe(200)
    },
    300_000 * runs,
  )
})

const expectedStatuses = new Set<number>([200, 201, 204, 501])
for (const { status } of Object.values(errorCatalog)) if (status < 500) expectedStatuses.add(status)

function statusOf(responseText: string) {
  return { status: Number(responseText.split(' ')[1]) }
}

/** The error code of a JSON or XML error body. */
function codeIn(body: string): string | undefined {
  return /"code":"(?<code>\w+)"|<code>(?<xml>\w+)<\/code>/.exec(body)?.slice(1).find(Boolean)
}

/** A fingerprint that changes with every write. */
async function databaseFingerprint(server: TestServer): Promise<string> {
  const [row] = await server.store.all(fingerprintStatement, {})
  return JSON.stringify(row)
}

const fingerprintStatement = crossCompanyStatement<object>(
  () => sql`select
    (select count(*) from revenue) as records,
    (select sum(${sql.ref('lastTimestamp')} % 1000000007) from sequence) as stamps,
    (select count(*) from ${sql.table('revenueLog')}) as traces,
    (select count(*) from idempotency) as answers,
    (select count(*) from company) as companies`,
)
