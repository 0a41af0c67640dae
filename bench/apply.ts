// The cost of `$apply` over a million records, compared with handwritten SQL in one process: `node
// bench/apply.ts [postgres://…/an_empty_database]`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { serviceSchema } from '../src/model/service-schema.ts'
import type { CompanyId } from '../src/engine/model/resource.ts'
import { revenue } from '../src/model/revenue.ts'
import { standardDialect } from '../src/engine/odata/dialect.ts'
import { routeParameters, parseQuery } from '../src/engine/odata/options/query.ts'
import { planRead, setOptions } from '../src/engine/planner/plan-read.ts'
import { insertCompany } from '../src/store/accounts/companies.ts'
import { migrateDatabase, openStore, withSchemaConnection } from '../src/store/open-store.ts'
import { crossCompanyStatement } from '../src/store/statement.ts'
import type { Store } from '../src/store/store.ts'
import { median } from './statistics.ts'

const rows = Number(process.env['ROWS'] ?? 1_000_000)
const rounds = 7

interface ApplyCase {
  readonly name: string
  readonly apply: string
  readonly byHand: RawBuilder<unknown>
}

const year = sql`cast(substr(date, 1, 4) as bigint)`
const month = sql`cast(substr(date, 6, 2) as bigint)`
const mine = sql`from revenue where "companyId" = 1`

const cases: readonly ApplyCase[] = [
  { name: 'one sum', apply: 'aggregate(Omsetning with sum as Sum)', byHand: sql`select sum(amount) as sum ${mine}` },
  {
    name: 'per department',
    apply: 'groupby((AvdelingID),aggregate(Omsetning with sum as Sum,$count as Antall))',
    byHand: sql`select "departmentId", sum(amount) as sum, count(*) as count ${mine} group by 1 order by 1`,
  },
  {
    name: 'per department and month',
    apply:
      'compute(year(Dato) as Aar,month(Dato) as Maaned)/groupby((AvdelingID,Aar,Maaned),aggregate(Omsetning with sum as Sum))',
    byHand: sql`select "departmentId", ${year} as year, ${month} as month, sum(amount) as sum ${mine} group by 1, 2, 3 order by 1, 2, 3`,
  },
  {
    name: 'a month, per department',
    apply:
      'filter(Dato ge 2020-03-01 and Dato lt 2020-04-01)/groupby((AvdelingID),aggregate(Omsetning with sum as Sum))',
    byHand: sql`select "departmentId", sum(amount) as sum ${mine} and date >= '2020-03-01' and date < '2020-04-01' group by 1 order by 1`,
  },
  {
    name: 'with subtotals',
    apply: 'groupby((rollup(AvdelingID,ipType)),aggregate(Omsetning with sum as Sum))',
    byHand: sql`select "departmentId", kind, sum(amount) as sum ${mine} group by 1, 2 union all
      select "departmentId", null, sum(amount) ${mine} group by 1`,
  },
]

/** A hundred departments, each with ten types of records a day. */
function fill(url: string): Promise<void> {
  return withSchemaConnection(url, async (db, dialect) => {
    const [numbers, day] =
      dialect === 'sqlite'
        ? [
            sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(rows - 1)})`,
            sql`date('2019-01-01', (i / 1000) || ' days')`,
          ]
        : [
            sql`with n(i) as (select generate_series(0, ${sql.lit(rows - 1)}))`,
            sql`to_char(date '2019-01-01' + i / 1000, 'YYYY-MM-DD')`,
          ]
    await sql`${numbers} insert into revenue
      ("companyId", date, "departmentId", kind, "cellRank", id, amount, remark, "changedAt", "createdAt")
      select 1, ${day}, cast(100 + i % 100 as text), cast(i / 100 % 10 as text), 0, i + 1, (i % 1000) * 12345, null, i + 1, 0 from n`.execute(
      db,
    )
    await sql`analyze`.execute(db)
  })
}

const parameters = routeParameters(setOptions, 'rejected')

async function milliseconds(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint()
  await work()
  return Number(process.hrtime.bigint() - start) / 1e6
}

async function measure(name: string, store: Store): Promise<void> {
  for (const one of cases) {
    const query = parseQuery(new URLSearchParams({ $apply: one.apply }).toString(), parameters)
    const plan = planRead(revenue, query, {
      schema: serviceSchema,
      companyId: 1 as CompanyId,
      grantedScopes: new Set(['revenue:read']),
      zone: 'Europe/Oslo',
      clock: () => 0,
      dialect: standardDialect,
      dates: 'date',
      naming: 'declared',
    })
    const byHand = crossCompanyStatement<Record<string, unknown>>(() => one.byHand)
    const figures: { ours: number; theirs: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const theirs = await milliseconds(() => store.all(byHand, {}))
      const ours = await milliseconds(async () => {
        const read = await store.readJson(plan)
        if (!('whole' in read)) await Array.fromAsync(read.chunks)
      })
      // The first round fills the caches.
      if (round > 0) figures.push({ ours, theirs })
    }
    const [ours, theirs, ratio] = [
      median(figures.map((figure) => figure.ours)).toFixed(0),
      median(figures.map((figure) => figure.theirs)).toFixed(0),
      median(figures.map((figure) => figure.ours / figure.theirs)).toFixed(2),
    ]
    const what = `${name}, ${one.name}`.padEnd(40)
    process.stdout.write(`${what} ${ours} ms, by hand ${theirs} ms, ${ratio} x\n`)
  }
}

async function run(name: string, url: string): Promise<void> {
  await migrateDatabase(url)
  const empty = await openStore({ url, canCreate: false })
  const company = { name: 'A', timezone: 'Europe/Oslo', currency: 'NOK', settings: '{}' }
  await empty.inSystemTransaction((writer) => insertCompany(writer, company, 0))
  await empty.close()
  await fill(url)
  const store = await openStore({ url, canCreate: false })
  try {
    await measure(name, store)
  } finally {
    await store.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dagsverk-bench-'))
try {
  await run('SQLite', `sqlite:${join(folder, 'dagsverk.db')}`)
} finally {
  rmSync(folder, { recursive: true })
}
const [server] = process.argv.slice(2)
if (server !== undefined) await run('PostgreSQL', server)
