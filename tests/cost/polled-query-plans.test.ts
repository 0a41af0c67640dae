// Polled queries use an index on both databases, right after migration (SQLite) or import (PostgreSQL).
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceSchema } from '../../src/model/service-schema.ts'
import { indexesOf } from '../../src/engine/model/resource.ts'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'
import { migrateDatabase } from '../../src/store/open-store.ts'
import { companyRole, companySetting } from '../../src/store/postgres/company-role.ts'
import { PostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { readParameters, rowStatement } from '../../src/store/read.ts'
import { statement } from '../../src/store/statement.ts'
import { orderValues } from '../../src/store/order-values.ts'
import { useEmptyFile } from '../support/empty-file.ts'
import { exportListPlan, finnPlanOf, planOf } from '../support/plans.ts'
import { createTestDatabase, postgresServer } from '../support/postgres.ts'

const date = "datetime('2024-05-01')"
const stamp = '2024-06-30T00:00:00Z'
const cell = `Dato eq ${date} and ipType eq 'I' and AvdelingID eq '20'`

const cellOfLog = "Dato eq 2024-05-01 and AvdelingID eq '20' and ipType eq 'I'"

/** Orders in which the primary key has the records of a cell, and others. */
const ordersAlongKey = ['AvdelingID', 'ipType', 'InntektsPlanId', 'InntektsPlanId desc', 'Dato desc']
const otherOrders = ['Omsetning', 'Merknad desc', 'SistEndretDato', 'OpprettetDato desc']

/**
 * A polled query, the index that it uses, and whether the result is sorted: PostgreSQL may find few records faster in
 * another order.
 */
const polls: readonly (readonly [name: string, ReadPlan, index: string, order: string])[] = [
  ['the records of a cell', finnPlanOf(`$filter=${cell}`), 'revenueKey', 'as found'],
  ['the records of a cell, by date', finnPlanOf(`$filter=${cell}&$orderby=Dato`), 'revenueKey', 'as found'],
  ['one date', finnPlanOf(`$filter=Dato eq ${date}`), 'revenueKey', 'sorted'],
  ['one date, by date', finnPlanOf(`$filter=Dato eq ${date}&$orderby=Dato`), 'revenueKey', 'as found'],
  [
    'a range of dates, by date',
    finnPlanOf(`$filter=Dato ge ${date} and Dato lt datetime('2024-05-03')&$orderby=Dato`),
    'revenueKey',
    'as found',
  ],
  [
    'the latest dates first',
    finnPlanOf(`$filter=Dato ge datetime('2024-06-25')&$orderby=Dato desc&$top=100`),
    'revenueKey',
    'as found',
  ],
  ['dates from a minimum', finnPlanOf("$filter=Dato ge datetime('2024-07-15')"), 'revenueKey', 'sorted'],
  [
    'dates with their departments',
    planOf('Omsetning', '$filter=Dato ge 2024-05-01 and Dato lt 2024-05-03&$orderby=Dato&$expand=Avdeling'),
    'revenueKey',
    'as found on SQLite',
  ],
  [
    'a page of dates with their departments',
    planOf('Omsetning', '$filter=Dato ge 2024-05-01&$orderby=Dato&$top=100&$expand=Avdeling'),
    'revenueKey',
    'as found',
  ],
  ['one department', finnPlanOf("$filter=AvdelingID eq '20'"), 'revenueKey', 'sorted'],
  [
    'changes of a department',
    finnPlanOf(`$filter=SistEndretDato gt ${stamp} and AvdelingID eq '20'`),
    'revenueChange',
    'sorted',
  ],
  ['changes', finnPlanOf(`$filter=SistEndretDato gt ${stamp}`), 'revenueChange', 'sorted'],
  [
    'changes in their order',
    finnPlanOf(`$filter=SistEndretDato gt ${stamp}&$orderby=SistEndretDato&$top=100`),
    'revenueChange',
    'as found',
  ],
  ['keys from a minimum', finnPlanOf('$filter=InntektsPlanId ge 19900&$top=100'), 'revenueId', 'as found'],
  ...ordersAlongKey.map(
    (order) =>
      [
        `the records of a cell, by ${order}`,
        finnPlanOf(`$filter=${cell}&$orderby=${order}`),
        'revenueKey',
        'as found',
      ] as const,
  ),
  ...otherOrders.map(
    (order) =>
      [
        `the records of a cell, by ${order}`,
        finnPlanOf(`$filter=${cell}&$orderby=${order}`),
        'revenueKey',
        'sorted',
      ] as const,
  ),
  [
    'a page from a date on, by date and department',
    finnPlanOf(`$filter=Dato ge ${date}&$orderby=Dato,AvdelingID&$top=100`),
    'revenueKey',
    'as found',
  ],
  [
    'employees from a key on, with their departments',
    planOf('Ansatt', '$filter=Id ge 5&$orderby=Id&$top=100&$expand=Avdeling($select=Id,Navn)'),
    'employeeKey',
    'as found',
  ],
  ['the revenue log of a cell', planOf('OmsetningLogg', `$filter=${cellOfLog}`), 'revenueLogKey', 'as found on SQLite'],
]

describe('on SQLite', () => {
  const file = useEmptyFile('plans')

  test.each(polls)('%s uses an index', (_, plan, index, order) => {
    const steps = file.stepsOf(plan)
    const access = index.endsWith('Key') ? 't0 USING PRIMARY KEY' : `t0 USING INDEX ${index}`
    const first = index === 'revenueChange' ? 'revenueLog USING PRIMARY KEY' : access
    expect(steps.at(0)).toMatch(new RegExp(`^SEARCH ${first} \\(companyId=\\? AND `))
    const text = steps.join('\n')
    if (index === 'revenueChange') expect(text).toContain('SEARCH t0 USING INDEX revenueId (companyId=? AND id=?)')
    expect(text).not.toMatch(/SCAN (t\d|revenue)|AUTOMATIC/)
    if (order !== 'sorted') expect(text).not.toContain('TEMP B-TREE')
  })

  test.each([...ordersAlongKey, ...otherOrders])('a cell is looked up by all of its columns, also by %s', (order) => {
    const [step = ''] = file.stepsOf(finnPlanOf(`$filter=${cell}&$orderby=${order}`))
    expect(step).toContain('(companyId=? AND date=? AND departmentId=? AND kind=?')
  })

  test('a department is looked up date by date when the filter names no date', () => {
    const [step = ''] = file.stepsOf(finnPlanOf("$filter=AvdelingID eq '20'"))
    expect(step).toContain('PRIMARY KEY (companyId=? AND date=? AND departmentId=?)')
  })

  test('recent changes are found by a scan in the order of the table', () => {
    const [step = ''] = file.stepsOf(finnPlanOf(`$filter=OpprettetDato ge ${stamp}`))
    expect(step).toBe('SEARCH t0 USING PRIMARY KEY (companyId=?)')
  })

  test.each([
    [cellOfLog, 'companyId=? AND date=? AND departmentId=? AND kind=?'],
    ['Dato eq 2024-05-01 and Id gt 5', 'companyId=? AND date=?'],
    ['Dato ge 2024-05-01 and Dato lt 2024-05-03', 'companyId=? AND date>? AND date<?'],
  ])('the revenue log by %s follows chains from the records that have or had the cell', (filter, ends) => {
    const [first, ...others] = file.stepsOf(planOf('OmsetningLogg', `$filter=${filter}`))
    expect(first).toBe('SEARCH t0 USING PRIMARY KEY (companyId=? AND id=?)')
    const searches = others.filter((step) => step.startsWith('SEARCH'))
    expect(searches).toEqual([
      `SEARCH t0 USING PRIMARY KEY (${ends})`,
      `SEARCH t0 USING PRIMARY KEY (${ends})`,
      'SEARCH t0 USING PRIMARY KEY (companyId=? AND id=?)',
    ])
  })

  test('waiting lines are found by the index of waiting lines, in the order of their ids', () => {
    const steps = file.stepsOf(exportListPlan())
    expect(steps[0]).toBe('SEARCH destinationLine USING INDEX destinationLineReady (companyId=? AND destinationId=?)')
    expect(steps.join('\n')).not.toMatch(/SCAN|TEMP B-TREE|AUTOMATIC/)
  })

  const indexesWithout = (): unknown[] =>
    file.sqlite
      .prepare(
        `select tables.name, list.name as "index" from sqlite_schema as tables, pragma_index_list(tables.name) as list
         where tables.type = 'table' and tables.name not like 'sqlite%' and not exists (
           select 1 from sqlite_stat1 where tbl = tables.name and idx in (list.name, tables.name))`,
      )
      .all()

  test('every table has statistics, also those that lost them in a migration', async () => {
    expect(indexesWithout()).toEqual([])
    file.sqlite.exec("delete from sqlite_stat1 where tbl = 'revenue'")
    file.sqlite.exec('create table made (id integer primary key, other text) strict')
    file.sqlite.exec('create index madeOther on made (other)')
    expect(indexesWithout()).toHaveLength(3)
    await migrateDatabase(file.url)
    expect(indexesWithout()).toEqual([])
  })

  test('every index of the model exists', () => {
    for (const resource of serviceSchema.resources)
      for (const index of indexesOf(resource)) {
        const columns = ['companyId', ...index.map((name) => columnIn(resource, index, name))]
        const found = file.sqlite
          .prepare(
            `select list.name, string_agg(info.name, ',' order by info.seqno) as columns
             from pragma_index_list(?) as list, pragma_index_xinfo(list.name) as info group by list.name`,
          )
          .all(resource.table) as { columns: string }[]
        if (resource.table === 'exportable' || index[0] === resource.changeLog?.field) continue
        expect(
          found.filter((one) => isStarted(one.columns.split(','), columns, resource.unique)),
          `${resource.table} ${columns.join()}`,
        ).not.toEqual([])
      }
  })

  /** The primary key ends in a column that orders as the record key does. */
  const columnIn = (
    { clusteredBy, key, clusteredKeyColumn }: (typeof serviceSchema.resources)[number],
    index: readonly string[],
    name: string,
  ): string =>
    clusteredKeyColumn !== undefined && name === key[0] && index[0] === clusteredBy?.[0] ? clusteredKeyColumn : name

  const isStarted = (
    columns: readonly string[],
    wanted: readonly string[],
    unique: readonly string[] = [],
  ): boolean => {
    const end = wanted.findIndex((name) => unique.includes(name))
    return wanted.slice(0, end === -1 ? wanted.length : end + 1).every((name, at) => columns[at] === name)
  }
})

describe.runIf(postgresServer !== undefined)('on PostgreSQL', () => {
  let made: Awaited<ReturnType<typeof createTestDatabase>>
  let client: Client
  beforeAll(async () => {
    made = await createTestDatabase('plans')
    await migrateDatabase(made.url)
    client = new Client({ connectionString: made.url })
    await client.connect()
    await client.query(`insert into company (id, name, "nameKey", timezone, currency, settings, "createdAt")
      values (1, 'A', 'a', 'UTC', 'NOK', '{}', 0), (2, 'B', 'b', 'UTC', 'NOK', '{}', 0)`)
    // 200 dates of 50 departments with two types each, for two companies.
    await client.query(`insert into revenue ("companyId", date, "departmentId", kind, "cellRank", id, amount, "changedAt", "createdAt")
      select company, to_char(date '2024-01-01' + (n / 100)::integer, 'YYYY-MM-DD'), (n % 50)::text, case n / 50 % 2 when 0 then 'I' else 'K' end,
        0, n + 1, n, 1704067200000000 + n * 864000000, 1704067200000000 + n * 864000000
      from generate_series(0::bigint, 19999) as n, generate_series(1, 2) as company`)
    await client.query(`insert into "revenueLog" ("companyId", id, at, "revenueId", date, "departmentId", kind, action, amount, actor, "requestId")
      select "companyId", id, "changedAt", id, date, "departmentId", kind, 'sett', amount, 'a', 'b' from revenue`)
    await client.query(`insert into department ("companyId", id, name, "changedAt", "createdAt")
      select company, n::text, 'A', n, n from generate_series(0, 49) as n, generate_series(1, 2) as company`)
    await client.query(`insert into employee ("companyId", id, "departmentId", "changedAt", "createdAt")
      select company, n, (n % 50)::text, n, n from generate_series(1, 10000) as n, generate_series(1, 2) as company`)
    await client.query('analyze')
    await client.query(`set role ${companyRole}; set ${companySetting} = '1'`)
  })
  afterAll(async () => {
    await client.end()
    await made.drop()
  })

  const stepsOf = async (plan: ReadPlan): Promise<string> => {
    const text = rowStatement(plan, 'json').compiled('postgres')
    const limit = plan.top ?? 1000
    const values = [...orderValues(text, { ...readParameters(plan), limit })]
    const { rows } = await client.query({ text: `explain (costs off) ${text.sql}`, values, rowMode: 'array' })
    return rows.join('\n')
  }

  // The department alone has no index: such a query scans the company's records, and delays nobody.
  const found = polls.filter(([name]) => name !== 'one department')

  test.each(found)('%s uses an index', async (_, plan, index, order) => {
    const steps = await stepsOf(plan)
    expect(steps).not.toMatch(/Seq Scan on "?(revenue|revenueLog|employee)\b/)
    expect(steps).toMatch(new RegExp(`Index (Only )?Scan (Backward )?(using|on) "${index}"`))
    if (order === 'as found') expect(steps).not.toContain('Sort')
    // The policy is compared with the condition of the statement, once, and with no row.
    expect(steps).toContain('One-Time Filter')
    expect(steps).not.toMatch(/"companyId" = \(+current_setting/)
  })

  describe('a connection that has run a statement seven times', () => {
    let store: PostgresStore
    beforeAll(() => {
      store = new PostgresStore({ url: made.url, connectionsMax: 1 })
    })
    afterAll(() => store.close())

    const runSevenTimes = async (plan: ReadPlan) => {
      for (let run = 0; run < 7; run++) await store.readRows(plan, 'json')
    }
    /** How often it made a plan for the values, and how often it used one that it keeps for all values. */
    const plansOf = (plan: ReadPlan) =>
      store.all(preparedStatement, { companyId: 1, text: rowStatement(plan, 'json').compiled('postgres').sql })

    test('keeps the plan for the records of a cell', async () => {
      const plan = finnPlanOf(`$filter=${cell}`)
      await runSevenTimes(plan)
      // PostgreSQL makes plans for the values five times, and then compares.
      expect(await plansOf(plan)).toEqual([{ made: 5, kept: 2 }])
    })

    test('plans the changes for their values, so that few changes are found by their index also after many', async () => {
      const plan = finnPlanOf(`$filter=SistEndretDato gt 2024-07-11T00:00:00Z`)
      await runSevenTimes(plan)
      expect(await plansOf(plan)).toEqual([{ made: 7, kept: 0 }])
    })
  })
})

const preparedStatement = statement<{ made: number; kept: number }>(
  ({ value }) => sql`
    select custom_plans::integer as made, generic_plans::integer as kept
    from pg_prepared_statements where statement = ${value('text')}`,
)
