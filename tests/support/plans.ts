// Read plans of a URL and a query, for tests of how a database executes them.
import { withCondition } from '../../src/api/export/retrieval.ts'
import { resolvePath } from '../../src/api/odata/resource-url.ts'
import { offeredLines } from '../../src/export/offered-lines.ts'
import { serviceSchema } from '../../src/model/service-schema.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { revenue } from '../../src/model/revenue.ts'
import { odata2Dialect, standardDialect } from '../../src/engine/odata/dialect.ts'
import { routeParameters, parseQuery } from '../../src/engine/odata/options/query.ts'
import { planResourcePath, planRead, readOptions, setOptions } from '../../src/engine/planner/plan-read.ts'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'

/** For company 1; `query` without percent-encoding. */
export function planOf(path: string, query: string): ReadPlan {
  const address = resolvePath(serviceSchema, `/odata/${path}`)
  if (address === null) throw new Error(path)
  const read = parseQuery(query, routeParameters(setOptions, 'ignored'))
  const plan = planResourcePath(address, read, { ...reading, dialect: standardDialect, dates: 'date' })
  if (plan === null) throw new Error(path)
  return plan
}

export function finnPlanOf(query: string): ReadPlan {
  return planRead(revenue, parseQuery(query, routeParameters(readOptions, 'ignored')), {
    ...reading,
    schema: { ...serviceSchema, relations: [] },
    dialect: odata2Dialect,
    dates: 'midnight',
  })
}

/** The export list of destination 1. */
export function exportListPlan(query = ''): ReadPlan {
  const plan = { ...planOf('TransaksjonsEksport', query), resource: offeredLines }
  return withCondition(withCondition(plan, 'eq', 'destinationId', 1), 'le', 'readyAt', Number.MAX_SAFE_INTEGER)
}

const reading = {
  schema: serviceSchema,
  companyId: 1 as CompanyId,
  grantedScopes: new Set(['directory:read', 'revenue:read', 'material:read', 'material:export']),
  zone: 'Europe/Oslo',
  naming: 'declared',
  clock: () => 0,
} as const
