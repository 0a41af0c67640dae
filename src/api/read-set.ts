// Entity sets, from request to reply: records in OData's envelope, one record, their number (interface 4.3).
import { admit, parametersOf, type Admitted, type Operation, type Serving } from '#api/operation.ts'
import { rowsBody } from '#api/rows-body.ts'
import { keyIn, rootOf } from '#api/odata-address.ts'
import { answering, requireSchemaVersion, wantedOf } from '#api/odata-answer.ts'
import { scopes, type Scope } from '#auth/scopes.ts'
import { Fault } from '#faults.ts'
import type { Reply, Request } from '#http/request.ts'
import { dagsverk } from '#model/dagsverk.ts'
import type { Resource } from '#model/resource.ts'
import { standard } from '#odata/dialect.ts'
import type { KnownParameters } from '#odata/query.ts'
import { phrase } from '#phrases.ts'
import { entityOptions, planEntity, planRead, setOptions, type Reading } from '#plan/plan-read.ts'
import { entityBody, setOpening } from '#wire/envelope.ts'
import { requireText } from '#wire/odata-format.ts'
import { jsonArray } from '#wire/write-rows.ts'

type Described = Pick<Operation, 'summary' | 'rule'>

/** A resource as an entity set. The service root that was called is the first segment of the address. */
export const readsSet = (resource: Resource, described: Described): Operation =>
  reads(resource, described, {
    parameters: parametersOf([...setOptions, ...anyOptions], 'ignored'),
    answer: 'set',
    handle: async (asked) => {
      const { request, admitted, store } = asked
      const { form, headers } = answering(request, admitted.query)
      const plan = planRead(resource, admitted.query, { ...readingOf(asked), form })
      const count = plan.count ? await store.count(plan) : null
      const start = `${setOpening(plan, count)}[`
      const array = { ...jsonArray, start, end: ']}' }
      return { headers, body: await rowsBody(plan, store, { array, form: 'json' }) }
    },
  })

/** One record by its key: `Set(key)` or `Set/key`. */
export const readsEntity = (resource: Resource, described: Described): Operation =>
  reads(resource, described, {
    parameters: parametersOf([...entityOptions, ...anyOptions], 'ignored'),
    answer: 'one',
    handle: async (asked) => {
      const { request, admitted, store } = asked
      const { form, headers } = answering(request, admitted.query)
      const key = keyIn(request.path, resource)
      const plan = planEntity(resource, key, admitted.query, { ...readingOf(asked), form })
      const rows = plan === null ? { whole: [] } : await store.readRows(plan, 'json')
      const record = 'whole' in rows ? rows.whole[0]?.[0] : undefined
      if (plan === null || typeof record !== 'string')
        throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
      return { headers, body: entityBody(plan, record) }
    },
  })

/** The number of records, as text: `Set/$count`. */
export const countsSet = (resource: Resource, described: Described): Operation =>
  reads(resource, described, {
    parameters: parametersOf(['$filter', '$search', ...anyOptions], 'ignored'),
    answer: 'number',
    handle: async (asked) => {
      const { request, admitted, store } = asked
      requireSchemaVersion(admitted.query)
      requireText(wantedOf(request, admitted.query))
      const plan = planRead(resource, admitted.query, readingOf(asked))
      return { headers: textHeaders, body: String(await store.count(plan)) }
    },
  })

interface Asked extends Pick<Serving, 'store'> {
  readonly request: Request
  readonly admitted: Admitted
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
      const { headers, body } = await handle({ request, admitted, store: serving.store })
      const { companyId, credentialId } = admitted.caller
      const about = { companyId, credentialId }
      return { status: 200, headers: { ...admitted.headers, ...headers }, body, about }
    },
  }
}

const readingOf = ({ request, admitted: { caller } }: Asked): Reading => ({
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

const scopeOf = ({ right, wire }: Resource): Scope => {
  const scope = scopes.find((one) => one === right)
  if (scope === undefined) throw new Error(`${wire} takes a right that no credential has: ${right}`)
  return scope
}

/** Of every read below a service root. */
const anyOptions = ['$format', '$schemaversion'] as const

const textHeaders = {
  'Content-Type': 'text/plain;charset=utf-8',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
} as const
