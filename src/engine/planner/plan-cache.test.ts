import { expect, test } from 'vitest'
import { serviceSchema } from '../../model/service-schema.ts'
import { employee } from '../../model/directory.ts'
import { revenue } from '../../model/revenue.ts'
import type { CompanyId, Resource } from '../model/resource.ts'
import { odata2Dialect, standardDialect } from '../odata/dialect.ts'
import { parseQuery, routeParameters } from '../odata/options/query.ts'
import { PlanCache } from './plan-cache.ts'
import { oncePerShape, shapeOf } from './plan-shape.ts'
import { planRead, setOptions, type PlanContext } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

const parameters = routeParameters([...setOptions, 'passord'], 'ignored')

const finn: PlanContext = {
  companyId: 1 as CompanyId,
  zone: 'Europe/Oslo',
  clock: () => 0,
  schema: serviceSchema,
  grantedScopes: new Set(['revenue:read', 'directory:read']),
  naming: 'declared',
  dialect: odata2Dialect,
  dates: 'midnight',
}
const odata: PlanContext = { ...finn, dialect: standardDialect }

/** Counts the plans that are made, not taken from the cache. */
class CountingPlanner {
  plansMade = 0
  readonly #cache = new PlanCache()

  plan(search: string, context = finn, resource: Resource = revenue): ReadPlan {
    const query = parseQuery(search.replaceAll('+', '%2B').replaceAll(' ', '+'), parameters)
    return this.#cache.get('', query, context, (given) => {
      this.plansMade++
      return planRead(resource, query, given)
    })
  }
}

/** What a request gets: its plan, or its error. `sources` say where the first request wrote the values. */
function resultOf(plan: () => ReadPlan): unknown {
  try {
    return { ...plan(), sources: null, origin: null }
  } catch (error) {
    return `${String(error)} ${JSON.stringify(error)}`
  }
}

test('requests that differ in literals, page, company and credentials share a plan', () => {
  const planner = new CountingPlanner()
  for (let day = 1; day <= 28; day++) {
    const date = `2024-01-${String(day).padStart(2, '0')}`
    const search = `$filter=Dato ge ${date} and AvdelingID eq '${day}'&$top=${day}&$skip=${day}&passord=${day}`
    const { values, top, skip, companyId } = planner.plan(search, { ...finn, companyId: day as CompanyId })
    expect({ values, top, skip, companyId }).toEqual({
      values: [date, String(day)],
      top: day,
      skip: day,
      companyId: day,
    })
  }
  expect(planner.plansMade).toBe(1)
})

/** Groups of filters: each is planned after each other of its group, and must get what it gets alone. */
const groups: readonly (readonly string[])[] = [
  ['Dato eq 2024-01-01', 'Dato eq 2024-02-29', 'Dato eq 2023-02-29', 'Dato eq 0000-01-01'],
  ['Dato eq 9999-12-31', 'Dato eq 2024-01-01', 'Dato eq 2024-01-01T10:00:00', 'Dato eq 7'],
  ["Dato eq datetime('2024-01-01')", "Dato eq datetime('2024-01-01T12:00:00')"],
  ["Dato ge datetime'2024-01-01'", "Dato ge datetime'2024-13-01'", "Dato ge '2024-01-01'"],
  ['Omsetning gt 1', 'Omsetning gt 1.5', 'Omsetning gt 1.23456', 'Omsetning gt 1e3'],
  ['Omsetning gt -1', 'Omsetning gt -(1)', 'Omsetning gt 99999999999999999999', 'Omsetning gt -INF'],
  ['Omsetning ge 1', 'Omsetning ge 1.23456', 'Omsetning ge 2'],
  ['Omsetning lt 1', 'Omsetning lt 1.23456', 'Omsetning lt 2'],
  ['Dato ge 2024-01-01T00:00:00', 'Dato ge 2024-01-01T10:00:00'],
  ['Omsetning gt null', 'Omsetning gt NaN', 'Omsetning gt 0', "Omsetning gt '0'"],
  ["ipType eq 'I'", "ipType eq 'it''s'", "ipType eq ''", 'ipType eq 5', "ipType eq 'a' or 1 eq 1"],
  ["AvdelingID in ('1','2')", "AvdelingID in ('3','4')", "AvdelingID in ('3',null)"],
  ["AvdelingID in ('1')", "AvdelingID in ('2')", 'AvdelingID in (2)', 'AvdelingID in ()'],
  ['InntektsPlanId in (1,2)', 'InntektsPlanId in (1,2.5)', 'InntektsPlanId in (3,4)'],
  ["contains(Merknad,'a')", "contains(Merknad,'b%')", "contains(Merknad,'')", 'contains(Merknad,1)'],
  ["substringof('a',Merknad) eq true", "substringof('b',Merknad) eq true"],
  ['1 eq 1', '1 eq 2', '2 eq 1', "'a' eq 'b'", "'a' eq 'a'"],
  ['Omsetning mul 2 gt 5', 'Omsetning mul 2.5 gt 5', 'Omsetning div 0 gt 5', 'Omsetning div 1 gt 5'],
  ["substring(Merknad,1) eq 'a'", "substring(Merknad,2) eq 'b'", "substring(Merknad,1,-1) eq 'a'"],
  ['year(Dato) eq 2024', 'year(Dato) eq 2025', 'month(Dato) eq 13'],
  ['SistEndretDato gt 2024-01-01T00:00:00Z', 'SistEndretDato gt 2024-01-01T00:00:00.1234567Z'],
  ['SistEndretDato gt 2024-01-01', 'SistEndretDato gt now()', 'SistEndretDato gt 2024-01-01T01:00:00+01:00'],
  ['5 lt Omsetning', 'Omsetning lt 5', '5 lt 6', '5 lt InntektsPlanId'],
  ["length(ipType) eq 1 and ipType ne 'x'", "length(ipType) eq 2 and ipType ne 'y'"],
  ["case(Omsetning gt 1:'a',true:'b') eq 'a'", "case(Omsetning gt 2:'b',true:'a') eq 'b'"],
  [
    "(ipType eq 'a' or ipType eq 'b') and not (Dato lt 2024-01-01)",
    "(ipType eq 'c' or ipType eq 'd') and not (Dato lt 2025-01-01)",
  ],
  ["ipType eq 'a\n'", "ipType eq 'b'", "ipType eq '\u0000'", "ipType eq 'number'"],
  ['AvdelingID in ["1","2"]', 'AvdelingID in ["it\'s","2"]', 'AvdelingID in ["1","\'3\'"]'],
]

test.each([
  ['/dev', finn],
  ['OData', odata],
] as const)('a plan from the cache equals a new one: literals of %s', (_, context) => {
  for (const group of groups)
    for (const first of group)
      for (const second of group) {
        const planner = new CountingPlanner()
        resultOf(() => planner.plan(`$filter=${encode(first)}`, context))
        const search = `$filter=${encode(second)}`
        expect([first, second, resultOf(() => planner.plan(search, context))]).toEqual([
          first,
          second,
          resultOf(() => new CountingPlanner().plan(search, context)),
        ])
      }
})

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', ' ')
}

test.each([
  [
    "$filter=Epost eq 'a'&$expand=Avdeling($filter=Navn eq 'x')",
    "$filter=Epost eq 'b'&$expand=Avdeling($filter=Navn eq 'y')",
  ],
  ["$filter=Fornavn eq 'a'&$select=Id", "$filter=Fornavn eq 'a'&$select=Fornavn"],
  ["$filter=Fornavn eq 'a'&$orderby=Id", "$filter=Fornavn eq 'a'&$orderby=Id desc"],
  ['$search=kari', '$search=ola'],
  ["$filter=Fornavn eq @a&@a='x'", "$filter=Fornavn eq @a&@a='y'"],
  ["$filter=Fornavn eq 'a'", "$filter=Fornavn eq 'a'&$count=true"],
  ['$top=2&$skip=0', '$top=2&$skip=2'],
])('what is no literal of $filter belongs to the shape: %s, %s', (first, second) => {
  const planner = new CountingPlanner()
  for (const search of [first, second])
    expect(resultOf(() => planner.plan(search, odata, employee))).toEqual(
      resultOf(() => new CountingPlanner().plan(search, odata, employee)),
    )
})

test.each<[string, Partial<PlanContext>]>([
  ['time zone', { zone: 'UTC' }],
  ['scopes', { grantedScopes: new Set(['revenue:read', 'directory:read', 'directory:personal']) }],
  ['naming', { naming: 'requested' }],
  ['format of dates', { dates: 'date' }],
])('the shape depends on the %s', (_, other) => {
  const planner = new CountingPlanner()
  planner.plan('$filter=Dato eq 2024-01-01')
  planner.plan('$filter=Dato eq 2024-01-01', { ...finn, ...other })
  expect(planner.plansMade).toBe(2)
})

test('a copy of a cached plan with another filter has no shape', () => {
  const planner = new CountingPlanner()
  planner.plan('$filter=Dato eq 2024-01-01')
  const plan = planner.plan('$filter=Dato eq 2024-01-02')
  expect(shapeOf(plan)).toBeDefined()
  expect(shapeOf({ ...plan, filter: null })).toBeUndefined()
  const countFields = oncePerShape(({ select }) => select.length)
  expect(countFields({ ...plan, select: [] })).toBe(0)
  expect(countFields(plan)).toBe(plan.select.length)
})

test('a plan that reads the clock is made each time', () => {
  const planner = new CountingPlanner()
  let now = 0
  const ticking = { ...finn, clock: () => ++now }
  const values = [1, 2, 3].map(() => planner.plan('$filter=SistEndretDato lt now()', ticking).values)
  expect(values).toEqual([[1], [2], [3]])
})
