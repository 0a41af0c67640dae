// The cost of parsing and planning a query, compared with JSON.parse of a text as long: `node bench/plan.ts`.
import { serviceSchema } from '../src/model/service-schema.ts'
import { employee, project } from '../src/model/directory.ts'
import type { CompanyId, Resource } from '../src/engine/model/resource.ts'
import { revenue } from '../src/model/revenue.ts'
import { standardDialect } from '../src/engine/odata/dialect.ts'
import { routeParameters, parseQuery } from '../src/engine/odata/options/query.ts'
import { planRead, setOptions, type PlanContext } from '../src/engine/planner/plan-read.ts'
import { statementKey } from '../src/engine/planner/statement-key.ts'
import { median } from './statistics.ts'

const reading: PlanContext = {
  schema: serviceSchema,
  companyId: 1 as CompanyId,
  grantedScopes: new Set(['directory:read', 'revenue:read']),
  zone: 'Europe/Oslo',
  clock: () => 0,
  dialect: standardDialect,
  dates: 'date',
  naming: 'declared',
}

const parameters = routeParameters(setOptions, 'ignored')

const queries: readonly (readonly [string, Resource, string])[] = [
  ['one day', revenue, "$filter=Dato eq 2024-05-01 and ipType eq 'I' and AvdelingID eq '20'"],
  ['a page', employee, "$filter=AvdelingId eq '20'&$orderby=Etternavn,Fornavn&$top=50&$count=true"],
  [
    'document',
    project,
    '$select=id,navn,avdelingid,anleggid&$expand=avdeling($select=id,navn),anlegg($select=id,navn)',
  ],
  [
    'expression',
    employee,
    "$filter=contains(tolower(Fornavn),'ås') and Avdeling/Ansatte/$count gt 3&$orderby=length(Etternavn) desc",
  ],
]

const rounds = 15
const perRound = 4_000

function microseconds(work: () => void): number {
  const start = process.hrtime.bigint()
  for (let index = 0; index < perRound; index += 1) work()
  return Number(process.hrtime.bigint() - start) / perRound / 1000
}

for (const [name, resource, query] of queries) {
  const encoded = encodeURI(query)
  const json = JSON.stringify({ query })
  const plan = () => planRead(resource, parseQuery(encoded, parameters), reading)
  const figures = Array.from({ length: rounds }, () => {
    const baseline = microseconds(() => JSON.parse(json))
    const planned = microseconds(plan)
    return { planned, keyed: microseconds(() => statementKey(plan())), ratio: planned / baseline }
  }).slice(3)
  const [planned, keyed, ratio] = (['planned', 'keyed', 'ratio'] as const).map((key) =>
    median(figures.map((one) => one[key])).toFixed(1),
  )
  process.stdout.write(
    `${name.padEnd(12)} ${planned} µs parsed and planned, ${keyed} µs with its cache key, ${ratio} times JSON.parse\n`,
  )
}
