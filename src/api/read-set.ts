// Entity sets, from request to reply: records in OData's envelope, one record, their number (interface 4.3).
import { admit, parametersOf, type Admitted, type Operation, type Serving } from '#api/operation.ts'
import { handOut, within, type HandedOut } from '#api/hand-out.ts'
import { rowsBody } from '#api/rows-body.ts'
import { keyIn, rootOf } from '#api/odata-address.ts'
import type { Caller } from '#auth/caller.ts'
import { scopes, type Scope } from '#auth/scopes.ts'
import { Fault } from '#faults.ts'
import type { Reply, Request } from '#http/request.ts'
import { dagsverk } from '#model/dagsverk.ts'
import type { Resource } from '#model/resource.ts'
import { exportable } from '#model/transaction.ts'
import { standard } from '#odata/dialect.ts'
import type { KnownParameters } from '#odata/query.ts'
import { phrase } from '#phrases.ts'
import { entityOptions, planEntity, planRead, setOptions, type Reading } from '#plan/plan-read.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import { entityBody, setOpening } from '#wire/envelope.ts'
import { contentType, requireJson } from '#wire/odata-format.ts'
import { jsonArray } from '#wire/write-rows.ts'

type Described = Pick<Operation, 'summary' | 'rule'>

/** A resource as an entity set. The service root that was called is the first segment of the address. */
export const readsSet = (resource: Resource, described: Described): Operation =>
  reads(resource, described, {
    parameters: parametersOf([...setOptions, '$format'], 'ignored'),
    answer: 'set',
    handle: async (asked) => {
      const { request, admitted, store } = asked
      requireJson(request.header('accept'), admitted.query.get('$format'))
      const planned = planRead(resource, admitted.query, readingOf(asked))
      const { plan, counted, headers } = await handedOut(planned, asked)
      const count = plan.count ? await store.count(counted) : null
      const start = `${setOpening(addressOf(request), plan, count)}[`
      const array = { ...jsonArray, start, end: ']}' }
      const body = await rowsBody(plan, store, { array, form: 'json' })
      return { headers: { ...setHeaders, ...headers }, body }
    },
  })

/** One record by its key: `Set(key)` or `Set/key`. */
export const readsEntity = (resource: Resource, described: Described): Operation =>
  reads(resource, described, {
    parameters: parametersOf([...entityOptions, '$format'], 'ignored'),
    answer: 'one',
    handle: async (asked) => {
      const { request, admitted, store } = asked
      requireJson(request.header('accept'), admitted.query.get('$format'))
      const key = keyIn(request.path, resource)
      const planned = planEntity(resource, key, admitted.query, readingOf(asked))
      if (planned === null) throw notFound()
      const { plan, headers } = await handedOut(planned, asked)
      const rows = await store.readRows(plan, 'json')
      const record = 'whole' in rows ? rows.whole[0]?.[0] : undefined
      if (typeof record !== 'string') throw notFound()
      const body = entityBody(addressOf(request), plan, record)
      return { headers: { ...setHeaders, ...headers }, body }
    },
  })

/** The number of records, as text: `Set/$count`. */
export const countsSet = (resource: Resource, described: Described): Operation =>
  reads(resource, described, {
    parameters: parametersOf(['$filter', '$search'], 'ignored'),
    answer: 'number',
    handle: async (asked) => {
      const planned = planRead(resource, asked.admitted.query, readingOf(asked))
      const { plan } = isOffered(resource)
        ? await within(planned, { caller: asked.admitted.caller, reader: asked.store })
        : { plan: planned }
      const headers = { ...setHeaders, 'Content-Type': 'text/plain;charset=utf-8' }
      return { headers, body: String(await asked.store.count(plan)) }
    },
  })

/** What is offered is noted when it is read (ADR 0040); all else is read as it was planned. */
const handedOut = async (plan: ReadPlan, asked: Asked): Promise<HandedOut> =>
  isOffered(plan.resource) ? handOut(plan, asked) : { plan, counted: plan, headers: {} }

const isOffered = (resource: Resource): boolean => resource === exportable

const notFound = () => new Fault('NotFound', { says: { what: phrase('theRecord') } })

interface Asked extends Pick<Serving, 'store'> {
  readonly request: Request
  readonly admitted: Admitted
  /** Microseconds UTC. */
  readonly now: number
}

interface Reads extends Pick<Operation, 'answer'> {
  readonly parameters: KnownParameters
  readonly handle: (asked: Asked) => Promise<Pick<Reply, 'headers' | 'body'>>
}

const reads = (resource: Resource, described: Described, { handle, ...rest }: Reads): Operation => {
  const scope = scopeOf(resource)
  return {
    ...described,
    ...rest,
    scope,
    resource,
    input: null,
    body: 'none',
    handle: async (request, serving) => {
      const admitted = await admit(request, serving, { scope, parameters: rest.parameters })
      const { headers, body } = await handle({
        request,
        admitted,
        store: serving.store,
        now: serving.clock(),
      })
      const { companyId, credentialId } = admitted.caller
      const about = { companyId, credentialId }
      return { status: 200, headers: { ...admitted.headers, ...headers }, body, about }
    },
  }
}

const readingOf = ({ request, admitted: { caller } }: Asked): Reading => readingFor(request, caller)

/** For whom an entity set is read, and in which names it is answered. */
export const readingFor = (request: Request, caller: Caller): Reading => ({
  schema: dagsverk,
  companyId: caller.companyId,
  rights: caller.scopes,
  zone: caller.company.zone,
  dialect: standard,
  dates: 'date',
  naming: isDeclaring(request) ? 'declared' : 'plain',
})

/** Clients of the standard, and of the original service, get declared names (ADR 0006). */
const isDeclaring = (request: Request): boolean =>
  rootOf(request.path).toLowerCase() === 'odata' ||
  ['x-api-version', 'odata-version', 'odata-maxversion'].some(
    (name) => request.header(name) !== undefined,
  )

const addressOf = ({ origin, path }: Request): string => `${origin}/${rootOf(path)}`

const scopeOf = ({ right, wire }: Resource): Scope => {
  const scope = scopes.find((one) => one === right)
  if (scope === undefined) throw new Error(`${wire} takes a right that no credential has: ${right}`)
  return scope
}

const setHeaders = {
  'Content-Type': contentType,
  'Cache-Control': 'no-cache',
  'OData-Version': '4.0',
  Vary: 'Accept, OData-MaxVersion, OData-Version, X-Api-Version',
} as const
