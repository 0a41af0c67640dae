// Query workers: a read that waits for its turn keeps its process, however long the reads before it take.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { nextTurn } from '../../lib/yield-to-event-loop.ts'
import { ActiveCompanies } from '../active-companies.ts'
import { crossCompanyStatement } from '../statement.ts'
import { requestTimeLimits, type TimeLimits } from '../time-limits.ts'
import { connect } from './connection.ts'
import { OpenSnapshots } from './open-snapshots.ts'
import { QueryWorkers } from './query-workers.ts'

const companies = [1, 2, 3] as CompanyId[]
const [one = 1 as CompanyId] = companies

let folder: string
let workers: QueryWorkers
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dagsverk-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  workers.close()
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

test('a process that is taken by a read that waits does not end as an idle one', async () => {
  await startIdleProcesses(null)
  let disconnect = () => {}
  const endless = all(Infinity, { onDisconnect: (callback) => ((disconnect = callback), () => {}) })
  const next = all(2)
  await untilWaiting(1)
  vi.advanceTimersByTime(60_000)
  disconnect()
  vi.advanceTimersByTime(500)
  await expect(endless).rejects.toMatchObject({ code: 'Overloaded' })
  expect(await next).toEqual([[1], [2]])
})

test('a read that has begun is not rejected because others of its company need all of their time', async () => {
  await startIdleProcesses(requestTimeLimits)
  const stream = workers.chunks(one, integers(600), {}, undefined)
  expect((await stream.next()).value).toHaveLength(500)
  const endless = [all(Infinity), all(Infinity)]
  await untilWaiting(1)
  const rest = stream.next()
  await untilWaiting(2)
  for (const read of endless) {
    vi.advanceTimersByTime(requestTimeLimits.readMs)
    await expect(read).rejects.toMatchObject({ code: 'QueryTooExpensive' })
    await nextTurn()
  }
  expect((await rest).value).toHaveLength(100)
})

/** As many as there are companies, which read at the same time. */
async function startIdleProcesses(limits: TimeLimits | null): Promise<void> {
  const path = join(folder, 'dagsverk.db')
  connect(path, 'writer').raw.close()
  const active = new ActiveCompanies()
  for (const company of [one, ...companies]) active.add(company)
  const snapshots = new OpenSnapshots({ beforeFirst: async () => {}, onEmpty: () => {} })
  workers = new QueryWorkers({ path, limits, snapshots, companies: active, toError: (error) => error })
  await Promise.all(companies.map((company) => all(1, undefined, company)))
  expect(workers.load()).toEqual({ processes: companies.length, idle: companies.length, waiting: 0 })
}

async function untilWaiting(count: number): Promise<void> {
  while (workers.load().waiting < count) await nextTurn()
}

/** From 1. */
function integers(to: number) {
  return crossCompanyStatement(
    () => sql`with recursive i(n) as (select 1 union all select n + 1 from i where n < ${sql.lit(to)}) select n from i`,
  )
}

/** Infinity: without a row, and without an end. */
async function all(to: number, client?: Parameters<QueryWorkers['chunks']>[3], company = one): Promise<SqlValue[][]> {
  const rows: SqlValue[][] = []
  for await (const chunk of workers.chunks(company, to === Infinity ? endlessly : integers(to), {}, client))
    rows.push(...chunk)
  return rows
}

const endlessly = crossCompanyStatement(
  () => sql`with recursive i(n) as (select 1 union all select n + 1 from i) select n from i where n < 0`,
)
