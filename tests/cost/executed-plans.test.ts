// Query plans of the statements that hot requests execute, on both databases with their statistics.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSessionAs, type SessionClient } from '../app/session-client.ts'
import { databases } from '../support/databases.ts'
import { day, insertPolledData, literal, type PolledData } from '../support/polled-data.ts'
import { useTestServer, type TestReply } from '../support/server.ts'
import { recordStatementsOf } from '../support/statement-recorder.ts'
import { insertExportHistory } from './export-history.ts'
import { hasPlan, openPlanReader, type PlanReader } from './costly-steps.ts'

const waitingLines = 1400
/** So many for each waiting line. */
const exportedLines = 50

interface HotRequest {
  readonly send: () => Promise<TestReply>
  /** Costly steps that it may have. */
  readonly allowed?: readonly string[]
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
    if (database.name === 'PostgreSQL') await insertExportHistory(server.url, exportedLines)
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
        const search = new URLSearchParams({
          $filter: 'InntektsPlanId eq 1',
          firma: name,
          passord: password,
        })
        return server.call('GET', `/dev/Omsetning/Finn?${search.toString()}`, { as: null })
      },
      // A company has few passwords.
      allowed: ['USE TEMP B-TREE FOR ORDER BY'],
    },
    'the records of a cell': {
      send: () =>
        data.revenueClient.find({
          $filter: `Dato eq ${literal(7)} and ipType eq 'I' and AvdelingID eq '20'`,
        }),
    },
    'a page by date and department': {
      send: () =>
        data.revenueClient.find({
          $filter: `Dato ge ${literal(7)}`,
          $orderby: 'Dato,AvdelingID',
          $top: '100',
        }),
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
        data.revenueClient.revenueLog({
          $filter: `Dato eq ${day(7)} and AvdelingID eq '20' and ipType eq 'I'`,
        }),
    },
    'a cell with its log in the app': {
      send: () => session.get('/app/data/omsetning/celle', { date: day(7), department: '20' }),
    },
    'an upsert of a cell': {
      send: () => data.revenueClient.setPerDate([{ ...cell, Omsetning: 1 }]),
    },
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
      // The hash of all lines is made in their order; PostgreSQL joins a thousand lines by scanning.
      allowed: [
        'USE TEMP B-TREE FOR string_agg(ORDER BY)',
        'Sort by "destinationLine"."lineId"',
        'Seq Scan on exportLine',
      ],
    },
    'a part of the export list': {
      send: () => data.materialClient.exportList({ $top: '100' }),
      // The hash of the lines is made in their order.
      allowed: ['USE TEMP B-TREE FOR string_agg(ORDER BY)'],
    },
    'an acknowledgement of lines': {
      send: () =>
        data.materialClient.acknowledge({ ids: Array.from({ length: 300 }, (_, at) => at + 1) }),
    },
    'a claim, and the acknowledgement of two of its lines': {
      send: async () => {
        const path = '/prosjekt/TransaksjonsEksport/Batch'
        const { json } = await data.materialClient.post(path, { max: 300 })
        const ids = json.value.slice(0, 2).map(({ Id }: { Id: number }) => Id)
        return data.materialClient.post(`${path}/${json.BatchId}/Resultat`, { ids })
      },
      // The same; and few claims are open.
      allowed: ['USE TEMP B-TREE FOR string_agg(ORDER BY)', 'USE TEMP B-TREE FOR ORDER BY'],
    },
  }

  test.each(Object.entries(hotRequests))(
    '%s: indexes find the rows, in the wanted order',
    async (_, { send, allowed = [] }) => {
      const { executed } = await recordStatementsOf(async () => {
        const { status, text } = await send()
        expect(status, text).toBe(200)
      })
      const statements = new Map(executed.filter(hasPlan).map((one) => [one.sql, one]))
      expect(statements.size).toBeGreaterThan(0)
      const costly: string[] = []
      for (const statement of statements.values())
        for (const step of await planReader.costlySteps(statement))
          if (!allowed.includes(step)) costly.push(`${step}: ${statement.sql}`)
      expect(costly).toEqual([])
    },
  )
})
