// Query plans of the statements that hot requests execute, on both databases with their statistics.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSessionAs, type SessionClient } from '../app/session-client.ts'
import { deleteExpiredReplies } from '../../src/store/idempotency.ts'
import { createJobQueue } from '../../src/store/job-queue.ts'
import { deleteExpiredEvents, leaseDelivery } from '../../src/store/notifications/deliveries.ts'
import { databases } from '../support/databases.ts'
import { day, insertPolledData, literal, type PolledData } from '../support/polled-data.ts'
import { usage } from '../support/material-client.ts'
import { useTestServer, type TestReply } from '../support/server.ts'
import { recordStatementsOf, type RecordedStatement } from '../support/statement-recorder.ts'
import { insertExportHistory } from './export-history.ts'
import { hasPlan, openPlanReader, type PlanReader } from './costly-steps.ts'

const waitingLines = 1400
/** So many for each waiting line. */
const exportedLines = 50

/** The order of the index is that of the list, which a page or a claim ends. */
const readyLines = /^SEARCH destinationLine USING INDEX destinationLineReady \(.* from "exportable"/s
/** Whether a list has a thousand lines. */
const upToThousandLines = /^SEARCH destinationLine USING COVERING INDEX .* limit 1 offset 1000/s
/** The hash of the lines is made in their order. */
const hashOfLines = /^USE TEMP B-TREE FOR string_agg/
const fewPasswords = /^USE TEMP B-TREE FOR ORDER BY: .* from credential/s
const fewOpenClaims = /^USE TEMP B-TREE FOR ORDER BY: .* from claim/s
const fewRecordsOfCell = /^USE TEMP B-TREE FOR ORDER BY: .* from "revenueDeparture"/s
const fewEntriesOfLine = /^(USE TEMP B-TREE FOR ORDER BY|Sort by .*id): .* from "ledgerEntry".* union all /s
/** PostgreSQL joins a thousand lines faster so. */
const joinOfThousandLines = /^(Sort by "destinationLine"."lineId"|Seq Scan on exportLine): /

interface HotRequest {
  readonly send: () => Promise<TestReply>
  /** Costly steps that it may have, each with its statement. */
  readonly allowed?: readonly RegExp[]
}

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'cost-plans')
  let data: PolledData
  let session: SessionClient
  let planReader: PlanReader
  beforeAll(async () => {
    data = await insertPolledData(server, waitingLines)
    session = await openSessionAs(server, data.revenueClient.company, 'approver')
    // The statistics of SQLite are fixed, and do not depend on the data.
    if (database.name === 'PostgreSQL') {
      await insertExportHistory(server.url, exportedLines)
      await insertPostgresOutbox(server.url)
    }
    planReader = await openPlanReader(server.url)
  })
  afterAll(() => planReader.close())

  const cell = { Dato: day(7), AvdelingID: '20' }
  const hotRequests: Readonly<Record<string, HotRequest>> = {
    'the first call with a key': {
      send: async () => {
        const { secret } = await server.addCredential(data.revenueClient.company)
        return server.call('GET', '/dev/Omsetning/Finn?$filter=InntektsPlanId%20eq%201', {
          as: null,
          headers: { 'tb-key': secret },
        })
      },
    },
    'the first call with a password': {
      send: () => {
        const { name, password } = data.revenueClient.company
        const search = new URLSearchParams({ $filter: 'InntektsPlanId eq 1', firma: name, passord: password })
        return server.call('GET', `/dev/Omsetning/Finn?${search.toString()}`, { as: null })
      },
      allowed: [fewPasswords],
    },
    'the records of a cell': {
      send: () =>
        data.revenueClient.find({ $filter: `Dato eq ${literal(7)} and ipType eq 'I' and AvdelingID eq '20'` }),
    },
    'a page by date and department': {
      send: () =>
        data.revenueClient.find({ $filter: `Dato ge ${literal(7)}`, $orderby: 'Dato,AvdelingID', $top: '100' }),
    },
    'the changes since a time': {
      send: () =>
        data.revenueClient.find({
          $filter: `SistEndretDato gt ${data.lastStamp}`,
          $orderby: 'SistEndretDato',
          $top: '100',
        }),
    },
    'the log of a cell': {
      send: () =>
        data.revenueClient.revenueLog({ $filter: `Dato eq ${day(7)} and AvdelingID eq '20' and ipType eq 'I'` }),
    },
    'a cell with its log in the app': {
      send: () => session.get('/app/data/omsetning/celle', { date: day(7), department: '20' }),
      allowed: [fewRecordsOfCell],
    },
    'an upsert of a cell': { send: () => data.revenueClient.setPerDate([{ ...cell, Omsetning: 1 }]) },
    'upserts of 300 cells': {
      send: () =>
        data.revenueClient.setPerDate(
          Array.from({ length: 300 }, (_, at) => ({ ...cell, Dato: day(at), Omsetning: at })),
        ),
    },
    'an addition to a cell with a reference': {
      send: () => data.revenueClient.accumulate({ ...cell, Omsetning: 1, Referanse: 'a' }),
    },
    'the export list': {
      send: () => data.materialClient.exportList(),
      allowed: [readyLines, hashOfLines, joinOfThousandLines, upToThousandLines],
    },
    'a part of the export list': {
      send: () => data.materialClient.exportList({ $top: '100' }),
      allowed: [readyLines, hashOfLines, upToThousandLines],
    },
    'an acknowledgement of lines': {
      send: () => data.materialClient.acknowledge({ ids: Array.from({ length: 300 }, (_, at) => at + 1) }),
    },
    'the history of a line, which was retrieved, had failed and was acknowledged': {
      send: async () => {
        const id = 301
        await data.materialClient.acknowledge({ failed: [{ id, code: 'x', message: 'unknown project' }] })
        await data.materialClient.acknowledge({ ids: [id] })
        const path = `/prosjekt/TransaksjonsEksport(${id})/Historikk`
        return server.call('GET', path, { as: data.materialClient.company })
      },
      allowed: [fewEntriesOfLine],
    },
    'the failed lines in the app': { send: () => session.get('/app/data/eksport/linjer', { list: 'failed' }) },
    'a claim, and the acknowledgement of two of its lines': {
      send: async () => {
        const path = '/prosjekt/TransaksjonsEksport/Batch'
        const { json } = await data.materialClient.post(path, { max: 300 })
        const ids = json.value.slice(0, 2).map(({ Id }: { Id: number }) => Id)
        return data.materialClient.post(`${path}/${json.BatchId}/Resultat`, { ids })
      },
      allowed: [readyLines, hashOfLines, fewOpenClaims],
    },
  }

  test('the hourly deletions find expired replies, events, deliveries and e-mails by indexes', async () => {
    const { executed } = await recordStatementsOf(async () => {
      await deleteExpiredReplies(server.store, 0)
      await deleteExpiredEvents(server.store, 0)
      await createJobQueue('mail', { returns: ['id'] }).deleteFinished(server.store, 0)
    })
    const deletions = executed.filter(({ sql }) => /^\s*delete/.test(sql))
    expect(deletions.length).toBe(4)
    expect(await costlyStepsOf(deletions)).toEqual([])
  })

  test('a delivery attempt looks up one waiting delivery of each webhook, however many wait', async () => {
    const lease = { now: 1, leaseUntil: 1, busy: { webhooks: [1], companies: [] } }
    const { executed } = await recordStatementsOf(() =>
      server.store.inSystemTransaction((writer) => leaseDelivery(writer, lease)),
    )
    const statements = executed.filter(hasPlan)
    expect(statements).toHaveLength(1)
    // Deliveries of every company are found without the policies of one.
    const everyCompanyReader = await openPlanReader(server.url, 'reset role')
    const indexes = await Promise.all(statements.map((one) => everyCompanyReader.indexes(one)))
    await everyCompanyReader.close()
    expect(new Set(indexes.flat())).toEqual(new Set(['deliveryWaiting']))
  })

  test.each(Object.entries(hotRequests))(
    '%s: indexes find the rows, in the wanted order',
    async (_, { send, allowed = [] }) => {
      const { executed } = await recordStatementsOf(async () => {
        const { status, text } = await send()
        expect(status, text).toBe(200)
      })
      const statements = new Map(executed.filter(hasPlan).map((one) => [one.sql, one]))
      expect(statements.size).toBeGreaterThan(0)
      const costly = await costlyStepsOf(statements.values())
      expect(costly.filter((step) => !allowed.some((one) => one.test(step)))).toEqual([])
    },
  )

  test('a registration looks each line up by all columns of an index, also where most lines are equal', async () => {
    const { executed } = await recordStatementsOf(async () => {
      const rows = [usage, { ...usage, Antall: 5 }, { ...usage, Antall: -5 }]
      expect((await data.materialClient.registerBatch(rows)).status).toBe(200)
    })
    const settings = executed.filter(({ sql }) => sql.includes("set_config('enable_seqscan', 'off', true)"))
    expect(settings).toHaveLength(database.name === 'PostgreSQL' ? 1 : 0)
    const lookUpReader = await openPlanReader(server.url, 'set enable_seqscan = off; set enable_bitmapscan = off')
    expect(await costlyStepsOf(executed.filter(hasPlan), lookUpReader)).toEqual([])
    await lookUpReader.close()
  })

  const costlyStepsOf = async (
    statements: Iterable<RecordedStatement>,
    reader: PlanReader = planReader,
  ): Promise<string[]> => {
    const costly: string[] = []
    for (const statement of statements)
      for (const step of await reader.costlySteps(statement)) costly.push(`${step}: ${statement.sql}`)
    return costly
  }
})

/** Rows of the tables whose plans SQLite chooses without data. */
async function insertPostgresOutbox(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    insert into event ("companyId", type, at, data) select id, 'a', n, '{}' from company, generate_series(1, 20000) as n;
    insert into delivery ("companyId", "webhookId", "eventId", "createdAt", attempts)
      select "companyId", 1, id, at, 1 from event;
    update delivery set "nextAttemptAt" = 1 where id % 2 = 0;
    insert into mail (kind, content, "createdAt", "expiresAt", attempts)
      select 'a', '', n, n, 1 from generate_series(1, 20000) as n;
    insert into idempotency ("companyId", owner, key, "requestHash", "createdAt", status, reply)
      select 1, 'a', n::text, '', n, 200, '' from generate_series(1, 20000) as n`)
  await client.end()
}
