// Cost of long lists on SQLite: the rows that statements handle before other requests get the thread.
import { queryObjects } from 'node:v8'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import { DatabaseThread } from '../../src/store/sqlite/database-thread.ts'
import { openSessionAs } from '../app/session-client.ts'
import { sqlite } from '../support/databases.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { useTestServer, type TestReply } from '../support/server.ts'
import { observeCalls, recordStatements, type RecordedStatement } from '../support/statement-recorder.ts'

const lines = 10_000
/** No chunk has fewer rows. */
const chunkRowsMin = 100
/** Rows between two turns of the event loop: of JSON lists, and of inserts with ten values a row. */
const rowsPerTurnMax = 5000
/** Of revenue, whose lists are the longest and the most frequent. */
const revenueRowsPerTurnMax = 500

describe('a list of 10,000 lines', () => {
  const server = useTestServer(sqlite, 'cost-lists')
  let client: MaterialClient
  let ids: number[]
  beforeAll(async () => {
    client = await newMaterialClient(server)
  })

  const expectShortTurns = async (work: () => Promise<TestReply>, rowsMax = rowsPerTurnMax) => {
    const { reply, rows, besideAudit } = await rowsPerTurn(work)
    expect(reply.status, reply.text.slice(0, 500)).toBe(200)
    expect(rows.filter((count) => count > rowsMax)).toEqual([])
    // All rows were counted.
    expect(rows.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(lines)
    return { json: reply.json, besideAudit }
  }
  const claim = () => client.post('/prosjekt/TransaksjonsEksport/Batch', { max: lines })

  test('of revenue is saved in short turns', async () => {
    const json = Array.from({ length: lines }, (_, index) => ({
      Dato: '2024-01-01',
      AvdelingID: `${index}`,
      Omsetning: 1,
    }))
    const perDate = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
    const save = (path: string) => () => server.call('POST', path, { json })
    await expectShortTurns(save('/dev/Omsetning/LagreEllerOppdaterListe'), revenueRowsPerTurnMax)
    await expectShortTurns(save(perDate), revenueRowsPerTurnMax)
    // Of records that exist, a list that is written on this thread has its log first, and then the records, in another turn.
    const { reply, besideLog } = await rowsPerTurn(() => server.call('POST', perDate, { json: json.slice(0, 600) }))
    expect(reply.status).toBe(200)
    expect(besideLog).toEqual([false, false, false, false, false])
  })

  test('of revenue has no object for each row while it is written', async () => {
    const json = Array.from({ length: lines }, (_, index) => ({
      Dato: '2024-01-02',
      AvdelingID: `written-${index}`,
      Omsetning: 1,
    }))
    // Of new cells, and then of stored ones.
    for (let round = 0; round < 2; round += 1) {
      const counts: number[] = []
      const before = queryObjects(Object, { format: 'count' })
      const restore = observeCalls(DatabaseThread.prototype, 'exec', (_, [statement]) => {
        if (statement === 'commit') counts.push(queryObjects(Object, { format: 'count' }) - before)
      })
      const { text } = await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', { json })
      restore()
      expect(text.split('written-')).toHaveLength(lines + 1)
      expect(counts).toHaveLength(1)
      expect(counts[0]).toBeLessThan(lines / 5)
    }
  })

  test('is registered and approved in short turns', async () => {
    const rows = Array.from({ length: lines }, (_, index) => ({ ...usage, EksternId: `${index}` }))
    const { json } = await expectShortTurns(() => client.registerBatch(rows))
    ids = json.resultater.map(({ id }: { id: number }) => id)
    const { besideAudit } = await expectShortTurns(() => client.approve(...ids))
    // The entry of the audit log has all ids, so it shares its turn with no chunk of the list.
    expect(besideAudit).toBeLessThan(chunkRowsMin)
  })

  test('is rejected as a whole in short turns', async () => {
    const rows = Array.from({ length: lines }, () => ({ ...usage, Dato: 'x' }))
    const unknown = ids.map((id) => id + 1_000_000)
    const approver = await openSessionAs(server, client.company, 'admin')
    const decision = { action: 'approve', ids: `${unknown[0]}-${unknown.at(-1)}` }
    for (const [status, work] of [
      [422, () => client.approve(...unknown)],
      [400, () => client.registerBatch(rows)],
      [200, () => approver.send('POST', appPaths.materialDecide, decision)],
    ] as const) {
      const { reply, results } = await resultsPerTurn(work)
      expect(reply.status).toBe(status)
      expect(reply.json.error?.resultater ?? reply.json.others).toHaveLength(lines)
      expect(results.filter((count) => count >= lines / 10)).toEqual([])
    }
  })

  test('is claimed in short turns, and so is the claim broken', async () => {
    const admin = await openSessionAs(server, client.company, 'admin')
    const { json } = await expectShortTurns(claim)
    expect(json.value).toHaveLength(lines)
    const fields = { claim: String(json.BatchId), destination: '1', reason: 'away' }
    await expectShortTurns(() => admin.send('POST', '/app/data/eksport/bryt', fields))
  })

  test('is withdrawn after its retrieval, and acknowledged all the same, in short turns', async () => {
    await client.exportList()
    const withdrawn = ids.slice(0, lines / 2)
    await expectShortTurns(() => client.post('/prosjekt/Transaksjon/TrekkGodkjenning', { ids: withdrawn }))
    await expectShortTurns(() => client.acknowledge({ ids }))
    const stamps = (await client.transactions({ $select: 'SistEndretDato' })).map((row) => row.SistEndretDato)
    expect(new Set(stamps).size).toBe(lines)
  })

  test('is undone in short turns', async () => {
    await expectShortTurns(() => client.post('/prosjekt/TransaksjonsEksport/Angre', { ids, grunn: 'test' }))
  })
})

describe('60 pages of 1,000 records that are requested at the same time', () => {
  const server = useTestServer(sqlite, 'cost-pages')

  test('are read over several turns, so that a point read of another company is answered among the first', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      Dato: '2024-01-01',
      AvdelingID: `${index}`,
      Omsetning: 1,
    }))
    const list = '/dev/Omsetning/LagreEllerOppdaterListe'
    for (const as of [server.tenantA, server.tenantB])
      expect((await server.call('POST', list, { as, json: rows })).status).toBe(200)
    let answered = 0
    const pages = Array.from({ length: 60 }, async () => {
      const { json } = await server.call('GET', '/dev/Omsetning/Finn?$top=1000')
      answered += 1
      return json.length
    })
    const filter = encodeURIComponent(`Dato eq datetime'2024-01-01' and AvdelingID eq '7'`)
    const point = await server.call('GET', `/dev/Omsetning/Finn?$filter=${filter}`, { as: server.tenantB })
    expect([point.status, point.json.length]).toEqual([200, 1])
    expect(answered).toBeLessThan(10)
    expect(await Promise.all(pages)).toEqual(pages.map(() => 1000))
  })
})

describe('retrievals of many lines that wait for their transaction', () => {
  const server = useTestServer(sqlite, 'cost-retrievals')
  const retrievals = 8

  test.each([
    ['of all lines', ''],
    ['of some lines', '?$top=1500'],
  ])('%s let a write of another company go between two of them', async (_, query) => {
    const client = await newMaterialClient(server)
    const rows = Array.from({ length: 1500 }, (__, index) => ({ ...usage, EksternId: `${query}${index}` }))
    const { json } = await client.registerBatch(rows)
    const ids = json.resultater.map(({ id }: { id: number }) => id)
    expect((await client.approve(...ids)).status).toBe(200)
    const running = Array.from({ length: retrievals }, async () => {
      const reply = await server.call('GET', `/prosjekt/TransaksjonsEksport${query}`, { as: client.company })
      return reply.status
    })
    await vi.waitFor(() => expect(server.store.load().operationsWaiting).toBeGreaterThan(retrievals - 3), {
      interval: 1,
    })
    const { commits } = server.store.load()
    const upsert = { as: server.tenantB, json: [{ Dato: '2026-05-01', AvdelingID: '1', Omsetning: 1 }] }
    const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
    expect((await server.call('POST', path, upsert)).status).toBe(200)
    // That of the retrieval that runs, and its own.
    expect(server.store.load().commits - commits).toBeLessThan(4)
    expect(await Promise.all(running)).toEqual(running.map(() => 200))
  })
})

/**
 * The rows of each turn of the event loop while the work runs, and of the one that writes the audit log; and of those that
 * write the revenue log, whether they write records of revenue too.
 */
async function rowsPerTurn(work: () => Promise<TestReply>) {
  const recording = recordStatements()
  const rows: number[] = []
  let besideAudit = 0
  const besideLog: boolean[] = []
  let counted = 0
  const countTurn = () => {
    const executed = recording.executed.slice(counted)
    const count = executed.reduce((sum, one) => sum + rowsOf(one), 0)
    rows.push(count)
    const isWritten = (table: string) => executed.some(({ sql }) => new RegExp(`insert into ${table}\\s`).test(sql))
    if (isWritten('"revenueLog"')) besideLog.push(isWritten('revenue'))
    if (executed.some(({ sql }) => sql.includes('insert into "audit"'))) besideAudit = count
    counted = recording.executed.length
    turn = setImmediate(countTurn)
  }
  let turn = setImmediate(countTurn)
  try {
    return { reply: await work(), rows, besideAudit, besideLog }
  } finally {
    clearImmediate(turn)
    recording.stop()
  }
}

/** The results of list elements that each turn of the event loop serializes. */
async function resultsPerTurn(work: () => Promise<TestReply>) {
  const results = [0]
  const restore = observeCalls(JSON, 'stringify', (_, [value]) => {
    results[results.length - 1] = (results.at(-1) ?? 0) + countResults(value)
  })
  const endTurn = () => {
    results.push(0)
    turn = setImmediate(endTurn)
  }
  let turn = setImmediate(endTurn)
  try {
    return { reply: await work(), results }
  } finally {
    clearImmediate(turn)
    restore()
  }
}

function countResults(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 'code' in value ? 1 : Object.values(value).reduce((sum, one) => sum + countResults(one), 0)
}

/** The rows that a statement gets: as JSON lists, or as values. */
function rowsOf({ values }: RecordedStatement): number {
  const lists = values.map((value) =>
    typeof value === 'string' && value.startsWith('[') ? (JSON.parse(value) as unknown[]).length : 0,
  )
  return Math.max(1, values.length / 10, ...lists)
}
