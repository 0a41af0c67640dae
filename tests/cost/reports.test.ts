// Reports of the browser app on SQLite: on a large file they are read beside the thread that serves requests.
import { expect, test } from 'vitest'
import { openSessionAs } from '../app/session-client.ts'
import { sqlite } from '../support/databases.ts'
import { newMaterialClient, usage } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { recordStatementsOf } from '../support/statement-recorder.ts'

const server = useTestServer(sqlite, 'cost-reports')

const reports: readonly (readonly [path: string, query?: Readonly<Record<string, string>>])[] = [
  ['/app/data/omsetning/oversikt'],
  ['/app/data/omsetning/summer', { from: '2024-01-01', to: '2024-12-31' }],
  ['/app/data/omsetning/rydde'],
  ['/app/data/uttak/oversikt', { group: 'employee' }],
  ['/app/data/uttak/ider'],
  ['/app/data/uttak/linjer', { sort: 'item' }],
  ['/app/data/uttak/linjer', { search: 'short' }],
  ['/app/data/uttak/antall', { search: 'short' }],
  ['/app/data/eksport'],
]

test('reports on a large SQLite file are read in a worker process, those on a small one are not', async () => {
  const client = await newMaterialClient(server)
  const session = await openSessionAs(server, client.company, 'admin')
  const register = async (count: number, Merknad: string) => {
    const rows = Array.from({ length: count }, () => ({ ...usage, Merknad }))
    expect((await client.registerBatch(rows)).status).toBe(200)
  }
  /** The statements of each report that visit many rows, as far as they ran in this process. */
  const costlyStatements = async () => {
    const counts: number[] = []
    for (const [path, query] of reports) {
      const { executed } = await recordStatementsOf(async () => {
        const { status, text } = await session.get(path, query)
        expect(status, text).toBe(200)
      })
      counts.push(executed.filter(({ sql }) => visitsMany.test(sql)).length)
    }
    return counts
  }
  const waiting = async () => (await session.get('/app/data/uttak/oversikt')).json.counts

  await register(1, 'short')
  expect(await costlyStatements()).not.toContain(0)
  expect(await waiting()).toEqual([{ state: 'Registrert', count: 1 }])
  expect(server.store.load().connectionsOpen).toBe(2)
  await register(3000, 'm'.repeat(4000))
  expect(await costlyStatements()).toEqual(reports.map(() => 0))
  expect(await waiting()).toEqual([{ state: 'Registrert', count: 3001 }])
  expect(server.store.load().connectionsOpen).toBe(3)
})

/** Not the groups of the overview, which are read from waiting days. */
const visitsMany =
  /group by (?!"companyId"|material\.date)|select material\.id, material\.amount|is not null\) asc|material as sought/
