// Read plans of a URL and a query, for tests of how a database executes them.
import { and } from '../../src/api/export/retrieval.ts'
import { addressOf } from '../../src/api/odata/resource-url.ts'
import { offered } from '../../src/export/offered-lines.ts'
import { dagsverk } from '../../src/model/service-schema.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { revenue } from '../../src/model/revenue.ts'
import { finn, standard } from '../../src/engine/odata/lexer/dialect.ts'
import { knownParameters, parseQuery } from '../../src/engine/odata/options/query.ts'
import {
  planAddress,
  planRead,
  readOptions,
  setOptions,
} from '../../src/engine/planner/plan-read.ts'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'

/** For company 1; `query` without percent-encoding. */
export function planOf(path: string, query: string): ReadPlan {
  const address = addressOf(dagsverk, `/odata/${path}`)
  if (address === null) throw new Error(path)
  const read = parseQuery(query, knownParameters(setOptions, 'ignored'))
  const plan = planAddress(address, read, { ...reading, dialect: standard, dates: 'date' })
  if (plan === null) throw new Error(path)
  return plan
}

export function finnPlanOf(query: string): ReadPlan {
  return planRead(revenue, parseQuery(query, knownParameters(readOptions, 'ignored')), {
    ...reading,
    schema: { ...dagsverk, relations: [] },
    dialect: finn,
    dates: 'midnight',
  })
}

/** The export list of destination 1. */
export function exportListPlan(query = ''): ReadPlan {
  const plan = { ...planOf('TransaksjonsEksport', query), resource: offered }
  return and(and(plan, 'eq', 'destinationId', 1), 'le', 'readyAt', Number.MAX_SAFE_INTEGER)
}

const reading = {
  schema: dagsverk,
  companyId: 1 as CompanyId,
  rights: new Set(['directory:read', 'revenue:read', 'material:read', 'material:export']),
  zone: 'Europe/Oslo',
  naming: 'declared',
  clock: () => 0,
} as const
