// `Finn`: the read operation of the `/dev` interface.
import { admit, devHeaders, parametersOf, type Operation } from '../operation.ts'
import { rowsBody, type Around } from '../odata/rows-body.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { finn } from '../../engine/odata/lexer/dialect.ts'
import { planRead, readOptions } from '../../engine/planner/plan-read.ts'
import type { ReadPlan, Selected } from '../../engine/planner/read-plan.ts'
import { formatFor, type Format } from '../../engine/formats/negotiation/negotiate.ts'
import { jsonArray, xmlArray } from '../../engine/formats/write/write-rows.ts'

type Described = Pick<Operation, 'summary' | 'rule' | 'scope'>

/**
 * `Finn` over a resource (interface 4.1): a bare array of its records, or XML when preferred. `also` are fields that
 * get an additional name when the request has no `$select`.
 */
export function finds(
  resource: Resource,
  described: Described,
  also: readonly Selected[] = [],
): Operation {
  return {
    ...described,
    resource,
    input: null,
    parameters,
    body: 'none',
    answer: 'records',
    handle: async (request, serving) => {
      const { caller, query, headers } = await admit(request, serving, { ...described, parameters })
      const format = formatFor(request.header('accept'))
      const asked = planRead(resource, query, {
        schema: flat,
        companyId: caller.companyId,
        rights: caller.scopes,
        zone: caller.company.zone,
        clock: serving.clock,
        dialect: finn,
        dates: 'midnight',
        naming: 'declared',
      })
      const plan =
        asked.selected === null ? { ...asked, select: [...asked.select, ...also] } : asked
      const total: Record<string, string> = plan.count
        ? { 'X-Total-Count': String(await serving.store.count(plan, request)) }
        : {}
      return {
        status: 200,
        headers: {
          ...headers,
          ...devHeaders,
          ...total,
          'Content-Type': `application/${format}; charset=utf-8`,
        },
        body: await rowsBody(plan, serving.store, arrayOf[format](plan), request),
        about: { companyId: caller.companyId, credentialId: caller.credentialId },
      }
    },
  }
}

/** `/dev` has no relations. */
const flat: Schema = { ...dagsverk, relations: [] }

const parameters = parametersOf(readOptions)

const arrayOf: Record<Format, (plan: ReadPlan) => Around> = {
  json: () => ({ array: jsonArray, form: 'json' }),
  xml: (plan) => ({ array: xmlArray(plan), form: 'values' }),
}
