// Fuzz test of all endpoints: never a 500, and a refused request changes nothing.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRoutes } from '../../src/api/public-routes.ts'
import { routes } from '../../src/api/routes.ts'
import { faults } from '../../src/errors/catalog.ts'
import { statement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { answersIn, converse, request } from '../http/conversation.ts'
import { reads, strays, writesInJson, writesInXml, type Thrown } from './arbitraries.ts'

function pathsOf(method: string) {
  return routes.filter((route) => route.method === method).map(({ path }) => path)
}

const all = [...routes, ...openRoutes].map(({ path }) => path.replace(':id', '1'))

const kinds: readonly [name: string, requests: fc.Arbitrary<Thrown>][] = [
  ['reads with any query', reads(pathsOf('GET'))],
  ['writes with any JSON', writesInJson(pathsOf('POST'))],
  ['writes with any XML', writesInXml(pathsOf('POST'))],
  ['setups with any JSON', writesInJson(['/setup'])],
  ['any URL, method and header', strays(all)],
]

/** `RUNS=20` runs twenty times as many requests, `SEED=…` repeats a run. */
const runs = Number(process.env['RUNS'] ?? 1)
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const usualRuns = { SQLite: 2000, PostgreSQL: 250 }

describe.each(databases)('on $name', (database) => {
  let house: House
  let address: string
  const before = Object.getOwnPropertyNames(Object.prototype).join()
  beforeAll(async () => {
    house = await buildHouse(database, 'fuzz')
    address = await house.server.listen(0, '127.0.0.1')
    const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100, Merknad: 'en' }
    await house.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { json: [row, row] })
  })
  afterAll(() => house.close())

  const send = async ({ method, address: to, headers, body }: Thrown) => {
    const bytes = Buffer.from(body)
    const conversation = converse(address)
    const head = request([
      `${method} ${to} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `tb-key: ${house.mine.key}`,
      ...headers,
      ...(body === '' && method !== 'POST' ? [] : [`Content-Length: ${bytes.length}`]),
    ])
    await conversation.send(Buffer.concat([Buffer.from(head, 'latin1'), bytes]))
    const said = await conversation.ended
    const [answer] =
      method === 'HEAD' ? [{ ...statusOf(said), headers: {}, body: '' }] : answersIn(said)
    if (answer === undefined) throw new Error('closed without an answer')
    return answer
  }

  test.each(kinds)(
    '%s',
    async (_, requests) => {
      const told = { before: await contents(house) }
      const details = await fc.check(
        fc.asyncProperty(requests, async (thrown) => {
          const { status, headers, body } = await send(thrown)
          expect(sensible.has(status), `${status} ${body}`).toBe(true)
          if (status < 400) {
            // Retrievals and writes change the database.
            told.before = await contents(house)
            return
          }
          // The setup page has its own error page.
          const isPage = headers['content-type']?.startsWith('text/html') === true
          if (thrown.method !== 'HEAD' && !isPage)
            expect(Object.keys(faults)).toContain(codeIn(body))
          expect(body).not.toMatch(/SQLITE|node_modules|\.ts:\d|\bselect .* from\b|at Object\./i)
          if (thrown.method !== 'GET') expect(await contents(house)).toBe(told.before)
        }),
        { seed, numRuns: runs * usualRuns[database.name], interruptAfterTimeLimit: 240_000 * runs },
      )
      if (details.failed)
        throw new Error(`SEED=${details.seed}\n${fc.defaultReportMessage(details)}`, {
          cause: details.errorInstance,
        })
      expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before)
      expect((await house.call('GET', '/livez')).status).toBe(200)
    },
    300_000 * runs,
  )
})

const sensible = new Set<number>([200, 201, 204, 501])
for (const { status } of Object.values(faults)) if (status < 500) sensible.add(status)

function statusOf(said: string) {
  return { status: Number(said.split(' ')[1]) }
}

/** The error code of a JSON or XML error body. */
function codeIn(body: string): string | undefined {
  return /"code":"(?<code>\w+)"|<code>(?<xml>\w+)<\/code>/.exec(body)?.slice(1).find(Boolean)
}

/** A fingerprint that changes with every write. */
async function contents(house: House): Promise<string> {
  const [row] = await house.store.all(everything, {})
  return JSON.stringify(row)
}

const everything = statement<object>(
  () => sql`select
    (select count(*) from revenue) as records,
    (select sum(stamp % 1000000007) from counter) as stamps,
    (select count(*) from ${sql.table('revenueLog')}) as traces,
    (select count(*) from idempotency) as answers,
    (select count(*) from company) as companies`,
)
