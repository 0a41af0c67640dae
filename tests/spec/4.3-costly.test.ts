// ADR 0015: expensive reads neither delay other callers nor exceed the query timeout.
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { requestTimeLimits } from '../../src/store/time-limits.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { recordsIn } from '../support/etags.ts'
import { useTestServer, startTestServer, type TestServer } from '../support/server.ts'
import { addressOf } from '../support/revenue-client.ts'

/** More rows than the server reads ahead to see whether more follow. */
const people = 1100
const timeLimits = { ...requestTimeLimits, readMs: 1500, writeMs: 500 }

/** Each employee's colleagues, their colleagues, and so on: exponential work. */
function colleagues(levels: number, test: string): string {
  return levels === 0
    ? test
    : `Avdeling/Ansatte/any(a${levels}:${colleagues(levels - 1, test)})`.replace(
        /^Avdeling/,
        levels === levelsMax ? 'Avdeling' : `a${levels + 1}/Avdeling`,
      )
}
const levelsMax = 3
/** A name that nobody has, so that the search reads every row. */
const costly = { $filter: colleagues(levelsMax, "concat(concat(a3/Fornavn,a2/Fornavn),a1/Fornavn) eq 'Ingen'") }

describe.each(databases)('expensive reads on $name', (database) => {
  const server = useTestServer(database, 'costly')
  let short: TestServer
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [{ id: '10', name: 'Hage' }],
      employees: Array.from({ length: people }, (_, index) => ({
        id: index + 1,
        firstName: `F${index}`,
        departmentId: '10',
      })),
    })
    short = await server.secondInstance({ timeLimits })
  })

  test('a read that exceeds its timeout is rejected with advice, and delays nobody', async () => {
    const order: string[] = []
    const note = async (name: string, call: ReturnType<TestServer['call']>) => {
      const reply = await call
      order.push(name)
      return reply
    }
    const slow = note('slow', short.call('GET', addressOf('/odata/Ansatt', costly)))
    const counted = note('counted', short.call('GET', addressOf('/odata/Ansatt/$count', costly)))
    await note('quick', short.call('GET', '/odata/Avdeling'))
    await expectStatus(short.call('GET', '/odata/Ansatt(7)?$select=Fornavn&$expand=Avdeling'))
    for (const refused of [await slow, await counted]) {
      expectError(refused, 422, 'QueryTooExpensive', { outcome: 'not_applied' })
      expect(refused.json.error.message).toContain('1.5 s')
    }
    expect(order[0]).toBe('quick')
  })

  test('a read within its timeout succeeds, also right after one that timed out', async () => {
    const found = { $filter: colleagues(levelsMax, "a1/Fornavn eq 'F7'") }
    const { status, json, text } = await short.call('GET', addressOf('/odata/Ansatt', found))
    expect(status, text).toBe(200)
    expect(json.value).toHaveLength(people)
    const count = await short.call('GET', addressOf('/odata/Ansatt/$count', found))
    expect(count.text).toBe(String(people))
  })

  test('TransaksjonsEksport and claims reject expensive filters, and log no retrieval', async () => {
    const usage = { Dato: '2024-05-01', AvdelingId: '10', Antall: 1, Varenavn: 'Sand' }
    const { json } = await server.call('POST', '/prosjekt/Transaksjon/Batch', { json: [usage] })
    const ids = [json.resultater[0].id]
    await server.call('POST', '/prosjekt/Transaksjon/Godkjenn', { json: { ids } })
    const list = '/prosjekt/TransaksjonsEksport'
    for (const refused of [
      await short.call('GET', addressOf(list, costly)),
      await short.call('POST', `${list}/Batch`, { json: { filter: costly.$filter } }),
    ])
      expect([refused.status, refused.json.error.code]).toEqual([422, 'QueryTooExpensive'])
    const { headers, json: listed } = await short.call('GET', list)
    expect([headers['x-retrieval'], listed.value.length]).toEqual([expect.stringMatching(/^1;/), 1])
  })

  test('a long reply arrives whole, chunk by chunk', async () => {
    const wide = { $select: 'Id', $expand: 'Avdeling($select=Id;$expand=Ansatte/$count)' }
    const reply = await expectStatus(short.call('GET', addressOf('/odata/Ansatt', wide)))
    const inside = { Id: '10', 'Ansatte@odata.count': people }
    expect(recordsIn(reply)).toEqual(
      Array.from({ length: people }, (_, index) => ({ Id: index + 1, Avdeling: inside })),
    )
  })
})

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))('writes on $name', (database) => {
  test('a write that waits too long for the lock of another server is rejected, and nothing is stored', async () => {
    const server = await startTestServer(database, 'costly-act')
    const short = await server.secondInstance({ timeLimits })
    const other = new Client({ connectionString: server.url })
    await other.connect()
    await other.query('begin')
    await other.query('select * from sequence for update')
    const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 1 }
    const send = () => short.call('POST', '/dev/Omsetning/Lagre', { json: row })
    expectError(await send(), 504, 'Timeout', { outcome: 'not_applied' })
    await other.query('rollback')
    await other.end()
    expect((await send()).status).toBe(200)
    expect((await short.call('GET', '/dev/Omsetning/Finn')).json).toHaveLength(1)
    await server.close()
  })
})
