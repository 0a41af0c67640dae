// ADR 0031: the lines of a filter are found before the transaction, which checks each of them by its id.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/client/client.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { nextTurn } from '../../src/lib/yield-to-event-loop.ts'
import { insertClaim } from '../../src/store/export/claims.ts'
import { statement } from '../../src/store/statement.ts'
import type { Transaction } from '../../src/store/store.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { useMaterialClient, usage } from '../support/material-client.ts'
import { useTestServer, type TestReply } from '../support/server.ts'
import { recordStatementsOf, type RecordedStatement } from '../support/statement-recorder.ts'

describe.each(databases)('found lines on $name', (database) => {
  const server = useTestServer(database, 'found')
  const materialClient = useMaterialClient(server)
  let companyId: CompanyId
  beforeEach(async () => {
    companyId = materialClient.company.id as CompanyId
    await fillDirectory(server, materialClient.company, {
      departments: [{ id: '10', name: 'Hage' }],
      employees: [{ id: 1, firstName: 'Kari', departmentId: '10' }],
    })
    const rows = ['10', '10', '20', '10'].map((AvdelingId) => ({ ...usage, AvdelingId }))
    await materialClient.registerBatch(rows)
    await materialClient.approve(1, 2, 3, 4)
    await materialClient.setDestination({ openClaimsMax: 9, isExclusive: 0 })
  })

  const claim = (body: object) => materialClient.post('/prosjekt/TransaksjonsEksport/Batch', body)
  const idsIn = ({ json }: TestReply): number[] => json.value.map(({ Id }: { readonly Id: number }) => Id)

  /** Sends a request, and changes lines after it has found its own and before its transaction. */
  const sendDuring = async <Sent>(
    send: () => Promise<Sent>,
    change: (transaction: Transaction) => Promise<void>,
  ): Promise<Sent> => {
    const started = Promise.withResolvers<void>()
    const sent = Promise.withResolvers<void>()
    const changing = server.store.inTransaction(companyId, async (transaction) => {
      started.resolve()
      await sent.promise
      await change(transaction)
    })
    await started.promise
    const reply = send()
    while (server.store.load().operationsWaiting === 0) await nextTurn()
    sent.resolve()
    await changing
    return reply
  }

  const exportLines =
    (...ids: readonly number[]) =>
    async (transaction: Transaction) => {
      for (const id of ids) await transaction.run(exportedStatement, { companyId, id })
    }
  const claimLine = (id: number) => async (transaction: Transaction) => {
    const expiresAt = server.clock.now() + 60_000_000
    const numbers = { id: 1, destinationId: 1, fencingToken: 1, createdAt: 1, retrievalId: 1 }
    const other = { holder: 'key:other', state: 'open', requestId: 'r', expiresAt } as const
    await insertClaim(transaction, { ...numbers, ...other }, [id])
  }
  const reviseLine = (id: number) => async (transaction: Transaction) => {
    const line = await transaction.first(lineStatement, { companyId, id })
    await transaction.run(insertRevision(Object.keys(line ?? {})), { companyId, id })
    await transaction.run(revisedStatement, { companyId, id })
  }

  test('a filter runs outside of the transaction, on SQLite in another process; inside, lines are read by id', async () => {
    // Of each department's employees the colleagues: not bounded by any index.
    const filter = "Avdeling/Ansatte/any(a:a/Avdeling/Ansatte/any(b:b/Fornavn eq 'Kari')) and Id ge 2"
    const { executed } = await recordStatementsOf(async () => {
      expect(await materialClient.listedIds({ $filter: filter, $top: '2' })).toEqual([2, 4])
      expect(idsIn(await claim({ filter }))).toEqual([2, 4])
    })
    const filtering = executed.filter(({ values }) => values.includes('Kari'))
    expect(filtering.length > 0).toBe(database.name === 'PostgreSQL')
    expect(inTransactions(executed).filter((one) => filtering.includes(one))).toEqual([])
    const others = executed.filter((one) => !filtering.includes(one) && /"(destinationLine|exportable)"/.test(one.sql))
    expect(others.length).toBeGreaterThan(4)
    for (const { sql: text, values } of others) expect(values.some(isListOfIds), text).toBe(true)
  })

  test('I1 a line that was exported after a filter found it is not retrieved', async () => {
    const send = () => materialClient.exportList({ $filter: "AvdelingId eq '10'" })
    const reply = await sendDuring(send, exportLines(2))
    expect(idsIn(reply)).toEqual([1, 4])
    expect(reply.headers['x-retrieval']).toMatch(/; lines=2;/)
  })

  test('a line that has another revision than the one that a filter found is not retrieved', async () => {
    const send = () => materialClient.exportList({ $top: '3' })
    const reply = await sendDuring(send, reviseLine(2))
    expect(idsIn(reply)).toEqual([1, 3])
    expect(reply.headers['x-retrieval']).toMatch(/; lines=2;/)
    expect(await materialClient.listedIds()).toEqual([1, 2, 3, 4])
  })

  test('a retrieval with $top whose lines were all exported meanwhile takes others: an empty one means that none is ready', async () => {
    const retrieve = () => materialClient.exportList({ $top: '2' })
    expect(idsIn(await sendDuring(retrieve, exportLines(1, 2)))).toEqual([3, 4])
    expect(idsIn(await sendDuring(retrieve, exportLines(3, 4)))).toEqual([])
  })

  test('the client lists what follows a page that lost a line after it was found', async () => {
    const url = await server.http.listen(0, '127.0.0.1')
    const client = connect({ url, key: materialClient.company.key })
    const list = () => Array.fromAsync(client.exportable({ pageSize: 2 }))
    const lines = await sendDuring(list, exportLines(1))
    expect(lines.map(({ Id }) => Id)).toEqual([2, 3, 4])
  })

  test('a line that somebody claimed after a filter found it is not retrieved at an exclusive destination', async () => {
    await materialClient.setDestination({ openClaimsMax: 9, isExclusive: 1 })
    const send = () => materialClient.exportList({ $filter: "AvdelingId eq '10'" })
    const reply = await sendDuring(send, claimLine(2))
    expect(idsIn(reply)).toEqual([1, 4])
    expect(reply.headers['x-retrieval']).toMatch(/; lines=2;/)
  })

  test('a full retrieval at an exclusive destination is logged without the lines that another has claimed, even meanwhile', async () => {
    await materialClient.setDestination({ openClaimsMax: 9, isExclusive: 1 })
    const list = () => materialClient.exportList({ $select: 'Id' })
    const logged = (ids: readonly number[]) => {
      const hash = createHash('sha256').update(ids.map((id) => `${id}:1,`).join(''))
      return `lines=${ids.length}; sha256=${hash.digest('base64url')}`
    }
    const replies = [await list(), await sendDuring(list, claimLine(2)), await list()]
    for (const [index, ids] of [
      [1, 2, 3, 4],
      [1, 3, 4],
      [1, 3, 4],
    ].entries()) {
      const reply = replies[index]
      if (reply === undefined) throw new Error('a reply is missing')
      expect([idsIn(reply), reply.headers['x-retrieval']]).toEqual([ids, expect.stringContaining(logged(ids))])
    }
  })

  test('a claim contains no line that was exported after it was found', async () => {
    const reply = await sendDuring(() => claim({ max: 2 }), exportLines(1))
    expect(idsIn(reply)).toEqual([2])
  })

  test('a claim whose lines were all taken meanwhile takes others', async () => {
    const reply = await sendDuring(() => claim({ max: 2 }), exportLines(1, 2))
    expect(idsIn(reply)).toEqual([3, 4])
  })

  test('concurrent claims have different lines, and none of them is empty while lines are free', async () => {
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => claim({ max: 1 })))
    expect(claims.filter(({ json }) => json.AntallLinjer === 1)).toHaveLength(4)
    expect(new Set(claims.flatMap(idsIn))).toEqual(new Set([1, 2, 3, 4]))
  })
})

/** A JSON array with the line 2 in it. */
function isListOfIds(value: unknown): boolean {
  return typeof value === 'string' && /^\[[^]*\b2\b[^]*\]$/.test(value)
}

/** The statements of write transactions on PostgreSQL. */
function inTransactions(executed: readonly RecordedStatement[]): RecordedStatement[] {
  let isWriting = false
  return executed.filter(({ sql: text }) => {
    if (/^begin(;|$)/.test(text)) isWriting = true
    if (/^(commit|rollback)$/.test(text)) isWriting = false
    return isWriting
  })
}

const exportedStatement = statement(
  ({ value }) => sql`
    update "destinationLine" set state = 'exported'
    where "companyId" = ${value('companyId')} and "destinationId" = 1 and "lineId" = ${value('id')}`,
)

const revisedStatement = statement(
  ({ value }) => sql`
    update "destinationLine" set revision = revision + 1
    where "companyId" = ${value('companyId')} and "destinationId" = 1 and "lineId" = ${value('id')}`,
)

const lineStatement = statement<Record<string, unknown>>(
  ({ value }) => sql`
    select * from "exportLine" where "companyId" = ${value('companyId')} and id = ${value('id')}`,
)

function insertRevision(columns: readonly string[]) {
  const names = columns.map((name) => `"${name}"`)
  const values = names.map((name) => (name === '"revision"' ? 'revision + 1' : name))
  return statement(
    ({ value }) => sql`
      insert into "exportLine" (${sql.raw(names.join())}) select ${sql.raw(values.join())}
      from "exportLine" where "companyId" = ${value('companyId')} and id = ${value('id')}`,
  )
}
