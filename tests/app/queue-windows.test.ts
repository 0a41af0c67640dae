// Windows of the approvals list, compared with a naive sort of all lines.
import * as fc from 'fast-check'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { compareLine } from '../../src/store/material/line-comparison.ts'
import { getApprovalTotals } from '../../src/store/material/approval-groups.ts'
import { listApprovalRows } from '../../src/store/material/approval-rows.ts'
import type { LineGrouping } from '../../src/store/material/grouping.ts'
import type { NamedMaterial } from '../../src/store/material/material-rows.ts'
import type { ApprovalFilter } from '../../src/store/material/approval-filter.ts'
import type { Statement } from '../../src/store/statement.ts'
import type { Reader } from '../../src/store/store.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { randomFrom, seed } from '../support/random.ts'
import { openSession, type SessionClient, openSessionAs } from './session-client.ts'

const overview = '/app/data/uttak/oversikt'
const windows = '/app/data/uttak/linjer'
const ids = '/app/data/uttak/ider'

interface Line {
  readonly Id: number
  readonly Dato: string
  readonly ProsjektId: string | null
  readonly AvdelingId: string | null
  readonly AnsattId: number | null
  readonly Kilde: string
  readonly VareId: string
  readonly Antall: number
  readonly Salgspris: number | null
  readonly Status: string
  readonly Belop: number | null
}

const states = { registered: 'Registrert', approved: 'Godkjent', rejected: 'Avvist' } as const
const groupings = ['none', 'project', 'employee', 'department', 'day'] as const
const projects = [null, 'P1', 'P10', 'P2', 'p3', 'Ærlig']
const departments = [null, '10', '2', '20']
const employees = [null, 1, 2, 10, 11]
const sources = ['butikk', 'lager']
const days = ['2026-11-02', '2026-11-03', '2026-11-09', '2026-12-01']

/** Rare values: all conditions together soon match nothing. */
function oneOf<T>(some: readonly T[]) {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...some) })
}

const filterRequest = fc.record({
  state: fc.constantFrom('registered', 'registered', 'registered', 'approved', 'rejected'),
  group: fc.constantFrom(...groupings),
  from: oneOf(days),
  to: oneOf(days),
  project: oneOf(['P1', 'P2', 'none']),
  department: oneOf(['2', '20']),
  employee: oneOf(['1', '10', 'x']),
  source: oneOf(sources),
  search: oneOf(['v1', 'ærl', ' P10 ', 'kari å', 'finnes ikke']),
  sort: oneOf(['date', '-date', 'item', 'quantity', '-price', 'amount', '-amount', 'project', '-employee', '-age']),
  /** In thousandths of the list. */
  position: fc.integer({ min: 0, max: 1050 }),
  top: fc.integer({ min: 1, max: 60 }),
})

type FilterRequest = typeof filterRequest extends fc.Arbitrary<infer QueueLine> ? QueueLine : never

const keyOf: Readonly<Record<FilterRequest['group'], (line: Line) => string>> = {
  none: ({ Dato }) => Dato,
  day: ({ Dato }) => Dato,
  project: ({ ProsjektId }) => ProsjektId ?? '',
  department: ({ AvdelingId }) => AvdelingId ?? '',
  employee: ({ AnsattId }) => String(AnsattId ?? ''),
}

/** By code point, as both databases sort. */
function compare(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1
}

/** The names of what the lines refer to are in the directory. */
const projectNames = new Map([['P2', 'Kjøkken']])
const employeeNames = new Map([[10, ['Kari', 'Ås']]])

const sortValues: Readonly<Record<string, (line: Line) => string | number | null>> = {
  date: ({ Dato }) => Dato,
  item: ({ VareId }) => VareId.toLowerCase(),
  quantity: ({ Antall }) => Antall,
  price: ({ Salgspris }) => Salgspris,
  amount: ({ Belop }) => Belop,
  project: ({ ProsjektId }) => (projectNames.get(ProsjektId ?? '') ?? ProsjektId)?.toLowerCase() ?? null,
  employee: ({ AnsattId }) =>
    employeeNames
      .get(AnsattId ?? 0)
      ?.toReversed()
      .join(' ')
      .toLowerCase() ?? null,
  // All were registered at once.
  age: () => 0,
}

/** Lines without a value are first, or last when descending. */
function compareBy(sort: string | undefined): (one: Line, other: Line) => number {
  const value = sortValues[sort?.replace('-', '') ?? '']
  if (value === undefined) return () => 0
  const sign = sort?.startsWith('-') ? -1 : 1
  return (one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === null || b === null) return sign * (Number(a !== null) - Number(b !== null))
    return sign * compare(a, b)
  }
}

function isFound({ VareId, ProsjektId, AnsattId }: Line, search: string | undefined): boolean {
  const named = [VareId, ProsjektId, projectNames.get(ProsjektId ?? ''), ...(employeeNames.get(AnsattId ?? 0) ?? [])]
  return named
    .filter(Boolean)
    .join(' ')
    .toLowerCase()
    .includes((search ?? '').trim())
}

function naive(all: readonly Line[], of: FilterRequest, own: readonly string[] | null): Line[] {
  const key = keyOf[of.group]
  const isIn = (wanted: string | undefined, is: string | number | null) =>
    wanted === undefined || (is !== null && wanted === String(is))
  return all
    .filter(
      (line) =>
        line.Status === states[of.state] &&
        (of.from === undefined || line.Dato >= of.from) &&
        (of.to === undefined || line.Dato <= of.to) &&
        isIn(of.project, line.ProsjektId) &&
        isIn(of.department, line.AvdelingId) &&
        isIn(of.employee, line.AnsattId) &&
        isIn(of.source, line.Kilde) &&
        isFound(line, of.search?.toLowerCase()) &&
        (own === null || (line.AvdelingId !== null && own.includes(line.AvdelingId))),
    )
    .sort(
      (one, other) =>
        (of.sort !== undefined && of.group === 'none' ? 0 : compare(key(one), key(other))) ||
        compareBy(of.sort)(one, other) ||
        compare(one.Dato, other.Dato) ||
        compare(one.Id, other.Id),
    )
}

function queryOf(of: FilterRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(of).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

/** The groups of a window: from the last one that begins at or before its start. */
function groupsAround(
  groups: readonly { readonly key: string; readonly count: number }[],
  position: number,
): ReadonlySet<string> {
  let first = 0
  const around = new Set<string>()
  let last: string | undefined
  for (const { key, count } of groups) {
    if (last === undefined) around.add(key)
    if (first > position) break
    last = key
    first += count
  }
  return last === undefined ? around : around.add(last)
}

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-windows')
  let all: readonly Line[]
  let everywhere: SessionClient
  let within: SessionClient
  const own = ['2', '10']

  beforeAll(async () => {
    const materialClient = await newMaterialClient(server)
    const random = randomFrom(seed)
    const pick = <T>(some: readonly T[]): T => random.pick(some)
    const rows = Array.from({ length: 400 }, (_, index) => ({
      Dato: pick(days),
      VareId: `V${index}`,
      Antall: pick([1, 2, -3]),
      Salgspris: pick([null, 10.5, 0.0001]),
      // Most lines are of one project, so that windows begin far inside of it.
      ProsjektId: pick([true, false]) ? 'P1' : pick(projects),
      AvdelingId: pick(departments),
      AnsattId: pick(employees),
      Kilde: pick(sources),
    }))
    const registered = await expectStatus(materialClient.registerBatch(rows))
    const numbers = registered.json.resultater.map(({ id }: { id: number }) => id)
    await materialClient.approve(...numbers.filter((_: number, at: number) => at % 5 === 0))
    const rejected = numbers.filter((_: number, at: number) => at % 7 === 1 && at % 5 !== 0)
    await materialClient.post('/prosjekt/Transaksjon/Avvis', { ids: rejected, grunn: 'feil' })
    all = await materialClient.transactions({ $top: '1000' })
    expect(new Set(all.map(({ Status }) => Status)).size).toBe(3)
    const { company } = materialClient
    await fillDirectory(server, company, {
      projects: [...projectNames].map(([id, name]) => ({ id, name })),
      employees: [...employeeNames].map(([id, [firstName = '', lastName = '']]) => ({ id, firstName, lastName })),
    })
    everywhere = await openSessionAs(server, company, 'approver')
    within = await openSession(server, await server.addUser([{ company, role: 'approver', departments: own }]))
  })

  test('for random filters, groups add up and windows contain the expected lines', async () => {
    const property = fc.asyncProperty(filterRequest, fc.boolean(), async (of, isWithin) => {
      const session = isWithin ? within : everywhere
      const query = queryOf(of)
      const expected = naive(all, of, isWithin ? own : null)
      const key = keyOf[of.group]

      const { groups, steps } = (await session.get(overview, query)).json
      const stepped: { key: string; count: number }[] = of.group === 'none' ? steps : groups
      const counts = Map.groupBy(
        expected.toSorted((one, other) => compare(key(one), key(other))),
        key,
      )
      expect(stepped.map(({ key, count }) => [key, count])).toEqual(
        [...counts].map(([key, lines]) => [key, lines.length]),
      )
      const amounts = groups.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0)
      const sum = expected.reduce((sum, { Belop }) => sum + Math.round((Belop ?? 0) * 10_000), 0)
      expect(amounts).toBe(sum)
      expect((await session.get('/app/data/uttak/antall', query)).json).toEqual({
        count: expected.length,
        anomalyCount: groups.reduce((sum: number, one: { anomalyCount: number }) => sum + one.anomalyCount, 0),
        amount: sum,
        oldest: expected.map(({ Dato }) => Dato).sort(compare)[0] ?? null,
      })
      expect((await session.get(ids, query)).json.ids).toEqual(expected.map(({ Id }) => Id).sort(compare))

      const start = Math.floor((of.position * expected.length) / 1000)
      const there = expected.slice(start, start + of.top).map(({ Id }) => Id)
      const listed = async (more: Record<string, string>) =>
        (await expectStatus(session.get(windows, { ...query, ...more, top: String(of.top) }))).json.rows.map(
          ({ id }: { id: number }) => id,
        )
      expect(await listed({ skip: String(start) })).toEqual(there)
      const previous = expected[start - 1]
      if (of.group === 'none' && of.sort === undefined && previous !== undefined)
        expect(await listed({ at: previous.Dato, after: String(previous.Id) })).toEqual(there)
      // Where nothing is grouped, a sort mixes the days.
      if (of.sort !== undefined && of.group === 'none') return
      for (const at of groupsAround(stepped, start)) {
        const before = expected.findIndex((line) => key(line) === at)
        expect(await listed({ at, skip: String(start - before) })).toEqual(there)
      }
    })
    const details = await fc.check(property, { seed, numRuns: 120 })
    if (details.failed)
      throw new Error(`SEED=${details.seed}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
  })
})

describe('query plans of SQLite', () => {
  let made: Awaited<ReturnType<DatabaseKind['make']>>
  let sqlite: Database.Database
  beforeAll(async () => {
    const [kind] = databases
    if (kind?.name !== 'SQLite') throw new Error('SQLite is always there')
    made = await kind.make('windows-way')
    sqlite = new Database(made.url.replace('sqlite:', ''), { readonly: true })
  })
  afterAll(async () => {
    sqlite.close()
    await made.drop()
  })

  /** EXPLAIN QUERY PLAN of all statements of a request, until a reply is missing. */
  const queryPlansOf = async (question: (reader: Reader) => Promise<unknown>): Promise<string> => {
    const plans: string[] = []
    const look = (statement: Statement<unknown>): void => {
      const { sql, placeholders } = statement.compiled('sqlite')
      const rows = sqlite.prepare(`explain query plan ${sql}`).all(...placeholders.map(() => 1))
      plans.push(...rows.map((row) => (row as { detail: string }).detail))
    }
    const all: Reader['all'] = (statement) => (look(statement), [])
    await question({ dialect: 'sqlite', all, first: (one) => (look(one), undefined) }).catch(() => undefined)
    return plans.join('\n')
  }

  const filter: ApprovalFilter = {
    state: 'Registrert',
    from: '',
    to: '',
    department: '',
    project: '',
    employee: '',
    source: '',
    search: '',
    departments: '',
  }
  const conditions: readonly Partial<ApprovalFilter>[] = [
    {},
    { source: 'app' },
    { departments: '["1"]' },
    { project: 'P1' },
    { employee: '1', department: '2' },
    { from: '2026-11-02', to: '2026-11-08' },
  ]
  const inIndex = 'SEARCH material USING COVERING INDEX materialDay (companyId=? AND state=?'

  test.each(conditions)('a window of dates, also after a line, under %j is one index scan', async (of) => {
    for (const after of [undefined, 7]) {
      const window = { at: '2026-11-02', skip: 10, after, top: 10 }
      const plans = await queryPlansOf((reader) =>
        listApprovalRows(reader, 1 as CompanyId, { ...filter, ...of }, 'none', window),
      )
      expect(plans).toContain(inIndex)
      // The only sort is that of the window itself.
      expect(plans.match(/TEMP B-TREE/g) ?? []).toHaveLength(1)
    }
    const sum = await queryPlansOf((reader) =>
      getApprovalTotals(reader, 1 as CompanyId, { ...filter, ...of }, '2026-11-16'),
    )
    // Waiting days have no source and no employee.
    expect(sum).toContain('source' in of || 'employee' in of ? inIndex : 'SEARCH material USING PRIMARY KEY')
    expect(sum).not.toContain('TEMP B-TREE')
  })

  test('a line is compared with ranges of indexes, of no more rows than the latest', async () => {
    const line = { id: 7, state: 'Registrert', itemId: 'a' } as NamedMaterial
    const plans = await queryPlansOf((reader) => compareLine(reader, 1 as CompanyId, line))
    expect(plans).not.toContain('TEMP B-TREE')
    expect(plans).toContain('SEARCH material USING INDEX materialState (companyId=? AND state=?)')
    expect(plans).toContain('SEARCH material USING INDEX materialState (companyId=? AND state=? AND id>?)')
    expect(plans).toMatch(
      /SEARCH line USING INDEX materialItem \(companyId=\? AND <expr>=\? AND quantity=\? AND date=\?( AND <expr>=\?){2}/,
    )
  })

  test.each<LineGrouping>(['project', 'employee', 'department'])(
    'a window by %s finds its group in the same index, without a sort',
    async (grouping) => {
      const window = { at: '7', skip: 10, top: 0 }
      const plans = await queryPlansOf((reader) => listApprovalRows(reader, 1 as CompanyId, filter, grouping, window))
      expect(plans).toContain(inIndex)
      expect(plans.match(/TEMP B-TREE/g) ?? []).toHaveLength(1)
    },
  )
})
