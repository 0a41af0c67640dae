// An entity set, from request to reply: records in OData's envelope, with related ones inside (interface 4.3).
import { admit, parametersOf, type Operation } from '#api/operation.ts'
import { rowsBody, type RowsBody } from '#api/rows-body.ts'
import type { Caller } from '#auth/caller.ts'
import { scopes, type Scope } from '#auth/scopes.ts'
import type { Request } from '#http/request.ts'
import { dagsverk } from '#model/dagsverk.ts'
import type { Resource } from '#model/resource.ts'
import { finn } from '#odata/dialect.ts'
import type { Query } from '#odata/query.ts'
import { planRead, setOptions } from '#plan/plan-read.ts'
import type { Store } from '#store/store.ts'
import { setOpening } from '#wire/envelope.ts'
import { contentType, requireJson } from '#wire/odata-format.ts'
import { jsonArray } from '#wire/write-rows.ts'

/** A resource as an entity set. The service root that was called is the first segment of the address. */
export const readsSet = (
  resource: Resource,
  described: Pick<Operation, 'summary' | 'rule'>,
): Operation => {
  const right = { scope: scopeOf(resource), parameters }
  return {
    ...described,
    ...right,
    resource,
    input: null,
    body: 'none',
    answer: 'set',
    handle: async (request, serving) => {
      const { caller, query, headers } = await admit(request, serving, right)
      requireJson(request.header('accept'), query.get('$format'))
      return {
        status: 200,
        headers: { ...headers, ...setHeaders },
        body: await setBody(resource, query, { request, caller, store: serving.store }),
        about: { companyId: caller.companyId, credentialId: caller.credentialId },
      }
    },
  }
}

interface Asked {
  readonly request: Request
  readonly caller: Caller
  readonly store: Store
}

const setBody = async (
  resource: Resource,
  query: Query,
  { request, caller, store }: Asked,
): Promise<RowsBody> => {
  const [, root = ''] = request.path.split(/\/+/)
  const plan = planRead(resource, query, {
    schema: dagsverk,
    companyId: caller.companyId,
    rights: caller.scopes,
    zone: caller.company.zone,
    dialect: finn,
    dates: 'date',
    naming: isDeclaring(request, root) ? 'declared' : 'plain',
  })
  const count = plan.count ? await store.count(plan) : null
  const opening = setOpening(`${request.origin}/${root}`, plan, count)
  const array = { ...jsonArray, start: `${opening}[`, end: ']}' }
  return rowsBody(plan, store, { array, form: 'json' })
}

/** Clients of the standard, and of the original service, get declared names (ADR 0006). */
const isDeclaring = (request: Request, root: string): boolean =>
  root.toLowerCase() === 'odata' ||
  ['x-api-version', 'odata-version', 'odata-maxversion'].some(
    (name) => request.header(name) !== undefined,
  )

const scopeOf = ({ right, wire }: Resource): Scope => {
  const scope = scopes.find((one) => one === right)
  if (scope === undefined) throw new Error(`${wire} takes a right that no credential has: ${right}`)
  return scope
}

const parameters = parametersOf([...setOptions, '$format'], 'ignored')

const setHeaders = {
  'Content-Type': contentType,
  'Cache-Control': 'no-cache',
  'OData-Version': '4.0',
  Vary: 'Accept, OData-MaxVersion, OData-Version, X-Api-Version',
} as const
