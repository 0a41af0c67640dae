// `Finn`: the read operation of the `/dev` interface.
import { authorizedHandler, devHeaders, parametersOf, type Operation } from '../operation.ts'
import { writeBody, writeJsonBody } from './rows-body.ts'
import { message } from '../../errors/messages.ts'
import type { Request } from '../../http/request.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { odata2Dialect } from '../../engine/odata/dialect.ts'
import { queryOptionError, type Query } from '../../engine/odata/options/query.ts'
import { PlanCache } from '../../engine/planner/plan-cache.ts'
import { planRead, readOptions, type PlanContext } from '../../engine/planner/plan-read.ts'
import type { SelectedField } from '../../engine/planner/read-plan.ts'
import { negotiateFormat, type Format } from '../../engine/formats/negotiation/negotiate.ts'
import { jsonArraySerializer, xmlArraySerializer } from '../../engine/formats/write/row-serializer.ts'

/**
 * `Finn` over a resource (interface 4.1): a bare array of its records, or XML when preferred. `extraNames` are
 * fields that get an additional name when the request has no `$select`.
 */
export function findOperation(
  resource: Resource,
  description: Pick<Operation, 'summary' | 'rule' | 'scope'>,
  extraNames: readonly SelectedField[] = [],
): Operation {
  const plans = new PlanCache()
  return {
    ...description,
    resource,
    input: null,
    parameters,
    body: 'none',
    supportsXml: true,
    responseKind: 'records',
    handle: authorizedHandler(
      { ...description, parameters },
      async ({ request, api, authorized: { caller, query } }) => {
        const format = formatOf(request, query)
        const context: PlanContext = {
          schema: flat,
          companyId: caller.companyId,
          grantedScopes: caller.scopes,
          zone: caller.company.zone,
          clock: api.clock,
          dialect: odata2Dialect,
          dates: 'midnight',
          naming: 'declared',
        }
        // The cache belongs to this operation, which has one path.
        const plan = plans.get('', query, context, (given) => {
          const planned = planRead(resource, query, given)
          if (planned.selected !== null) return planned
          return { ...planned, select: [...planned.select, ...extraNames] }
        })
        const headers = plan.count
          ? { ...headersOf[format], 'X-Total-Count': String(await api.store.count(plan, request)) }
          : headersOf[format]
        if (format === 'xml') {
          const rows = await api.store.readRows(plan, 'values', request)
          return { status: 200, headers, body: await writeBody(rows, xmlArraySerializer(plan)) }
        }
        const read = api.store.readJson(plan, request)
        const body = writeJsonBody(read instanceof Promise ? await read : read, jsonArraySerializer)
        return { status: 200, headers, body: body instanceof Promise ? await body : body }
      },
    ),
  }
}

/** `/dev` has no relations. */
const flat: Schema = { ...serviceSchema, relations: [] }

const parameters = parametersOf([...readOptions, '$format'])

/** `$format` overrides `Accept`: `json`, `xml`, or a media type, which counts like `Accept`. Throws `InvalidQueryOption`. */
function formatOf(request: Request, query: Query): Format {
  const named = query.get('$format')
  if (named === undefined) return negotiateFormat(request.header('accept'))
  if (named.includes('/')) return negotiateFormat(named)
  const format = formats.find((one) => one === named.toLowerCase())
  if (format !== undefined) return format
  throw queryOptionError('$format', message('oneOf', { values: formats.join(', ') }))
}

const formats = ['json', 'xml'] as const

const headersOf: Record<Format, Readonly<Record<string, string>>> = {
  json: { ...devHeaders, 'Content-Type': 'application/json; charset=utf-8' },
  xml: { ...devHeaders, 'Content-Type': 'application/xml; charset=utf-8' },
}
