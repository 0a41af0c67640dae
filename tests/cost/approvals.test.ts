// Cost of a look at the approvals screen, without a clock: it reads as much of 5,000 waiting lines as of 500.
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SessionClient, openSessionAs } from '../app/session-client.ts'
import { sqlitePath } from '../../src/store/open-store.ts'
import { connect } from '../../src/store/sqlite/connection.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient, usage } from '../support/material-client.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { recordStatementsOf, type RecordedStatement } from '../support/statement-recorder.ts'

/** For groups, counts, the anomalies, and the first lines, with the look-ups of the session. */
const statementsMax = 20

/** Rows that PostgreSQL visits for a look, where ten lines of a company are anomalies. */
const rowsMax = 400

/** The first window is a range of the index, and ends at its limit. */
const firstLines = 40

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'cost-approvals')
  useClock(server, Date.UTC(2026, 10, 16, 7) * 1000)
  let postgres: Client | undefined
  beforeAll(async () => {
    if (database.name === 'SQLite') return
    postgres = new Client({ connectionString: server.url })
    await postgres.connect()
  })
  afterAll(() => postgres?.end())

  /** Of a company with so many waiting lines in twenty projects on ten days, of which ten are anomalies. */
  const openWith = async (count: number): Promise<SessionClient> => {
    const client = await newMaterialClient(server)
    const rows = Array.from({ length: count }, (_, index) => ({
      ...usage,
      Dato: `2026-11-0${index % 10 === 0 ? 9 : index % 10}`,
      ProsjektId: index < 10 ? null : `P${index % 20}`,
      VareId: `V${index}`,
    }))
    expect((await client.registerBatch(rows)).status).toBe(200)
    return openSessionAs(server, client.company, 'approver')
  }

  const groupings = ['none', 'project', 'department', 'day']

  const statementsOf = async (session: SessionClient, group: string): Promise<RecordedStatement[]> => {
    const look = async () => {
      const { status, json } = await session.get('/app/data/uttak/oversikt', { group, top: String(firstLines) })
      expect([status, json.anomalies.length, json.firstLines.length]).toEqual([200, 10, firstLines])
    }
    await look()
    const { executed } = await recordStatementsOf(look)
    return executed.filter(({ sql }) => /^\s*(select|with)\b/i.test(sql))
  }

  test.each(groupings)('a look grouped by %s executes few statements', async (group) => {
    const statements = await statementsOf(await openWith(500), group)
    expect(statements.length, statements.map(({ sql }) => sql).join('\n')).toBeLessThanOrEqual(statementsMax)
  })

  test.runIf(database.name === 'PostgreSQL').each(groupings)(
    'a look grouped by %s visits as many rows',
    async (group) => {
      const visitedOf = async (count: number) => {
        const statements = await statementsOf(await openWith(count), group)
        await postgres?.query('analyze')
        let visited = 0
        for (const { sql, values } of statements) {
          const explained = await postgres?.query(`explain (analyze, format json) ${sql}`, [...values])
          visited += visitedRows(explained?.rows[0]['QUERY PLAN'][0].Plan)
        }
        return visited
      }
      const [few, many] = [await visitedOf(500), await visitedOf(5000)]
      expect(many).toBeLessThanOrEqual(rowsMax)
      expect(many).toBeLessThanOrEqual(few * 1.2)
    },
  )

  test.runIf(database.name === 'SQLite').each(groupings)(
    'a look grouped by %s reads lines up to a limit',
    async (group) => {
      const statements = await statementsOf(await openWith(500), group)
      const path = sqlitePath(server.url)
      const connection = connect(path ?? '', 'writer')
      const plans = statements
        .map(({ sql, values }) => ({
          sql,
          steps: connection.raw
            .prepare(`explain query plan ${sql}`)
            .all(...values)
            .map((row) => (row as { detail: string }).detail),
        }))
        .filter(
          ({ sql, steps }) =>
            !/"waitingDay"|\blimit\b/i.test(sql) && steps.some((step) => /SEARCH material\b/.test(step)),
        )
      connection.close()
      // What is left finds lines by their ids, or counts decided lines.
      for (const { sql, steps } of plans)
        expect(
          steps.filter((step) => /(SEARCH|SCAN) material\b/.test(step)),
          sql,
        ).toEqual([expect.stringMatching(/PRIMARY KEY \(companyId=\? AND id=\?\)/)])
    },
  )
})

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The rows that a plan visits; of lines also those that it filters out, as the other tables are small here. */
function visitedRows(node: PlanNode): number {
  const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node
  const table = node['Relation Name']
  const own = table === undefined ? 0 : (rows + (table === 'material' ? removed : 0)) * loops
  return (node.Plans ?? []).reduce((sum, inner) => sum + visitedRows(inner), own)
}
