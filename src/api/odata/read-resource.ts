// OData reads, from request to reply: resolve the path, plan, restrict, read (interface 4.3).
import { nothingThere, type Answer, type Asked, type AuthorizedRead } from './read-request.ts'
import { addressOf, rootOf } from './resource-url.ts'
import { answering, answeringText, serviceAddress } from './response.ts'
import { admit, parametersOf, type Handler } from '../operation.ts'
import { handOut, within, type HandedOut } from '../export/retrieval.ts'
import { answerCount, answerReferences, answerSet } from './read-collection.ts'
import { answerField, answerRecord, answerReference, answerValue } from './read-entity.ts'
import { scopes, type Scope } from '../../auth/scopes.ts'
import type { Caller } from '../../auth/caller.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import type { Resource } from '../../engine/model/resource.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { exportable } from '../../model/transaction.ts'
import { withAliases } from '../../engine/odata/options/aliases.ts'
import { standard } from '../../engine/odata/lexer/dialect.ts'
import { required, type KnownParameters, type Query } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import type { Address, Located } from '../../engine/planner/address/address.ts'
import {
  entityOptions,
  planAddress,
  referenceOptions,
  setOptions,
  type Reading,
} from '../../engine/planner/plan-read.ts'

/** How one kind of resource path is read. */
interface Manner {
  readonly parameters: KnownParameters
  readonly isText?: true
  readonly answer: (asked: Asked) => Promise<Answer>
}

/** The handler of a resolved path. */
export function readsAddress(schema: Schema, address: Address): Handler {
  const manner = mannerOf(address)
  const admission = { scope: scopeOf(address), parameters: manner.parameters }
  return async (request, serving) => {
    const admitted = await admit(request, serving, admission)
    const aliased = [...admitted.query.keys()].some((name) => name.startsWith('@'))
      ? addressOf(schema, request.path, withAliases(standard, admitted.query))
      : address
    return replyOf({ schema, request, admitted, serving }, aliased ?? address, manner)
  }
}

/** The entity with the id in `$id`: `$entity?$id=Ansatt(7)` (OData 4.01 part 1, 11.2.9). */
export function readsIdentified(schema: Schema): Handler {
  return async (request, serving) => {
    const { parameters } = manners.identified
    const admitted = await admit(request, serving, { scope: null, parameters })
    const id = required(admitted.query, '$id', 'expectedRecordAddress')
    const root = serviceAddress(request)
    const isAbsolute = id.toLowerCase().startsWith(`${root.toLowerCase()}/`)
    const path = isAbsolute ? id.slice(root.length) : `/${id}`
    const [, , ...casts] = request.path.split('/').filter((part) => part !== '')
    const address = addressOf(schema, [`/root${path}`, ...casts].join('/'))
    if (address === null || address.key.length === 0 || isPart(address))
      throw nothingThere('theRecord')
    const scope = scopeOf(address)
    if (!admitted.caller.scopes.has(scope)) throw new Fault('ScopeMissing', { says: { scope } })
    return replyOf({ schema, request, admitted, serving }, address, manners.identified)
  }
}

function isPart({ field, composite }: Address): boolean {
  return field !== null || composite !== null
}

interface Asking extends AuthorizedRead {
  readonly schema: Schema
}

async function replyOf(
  { schema, request, admitted, serving }: Asking,
  address: Address,
  { answer, isText }: Manner,
): Promise<Reply> {
  const { caller, query } = admitted
  const { form, headers: told } = (isText ? answeringText : answering)(request, query)
  refuseTwoFilters(address, query)
  refuseSumsOfOffers(address, query)
  const planned = planAddress(address, query, {
    ...readingOf(schema, request, caller),
    clock: serving.clock,
    form,
  })
  if (planned === null) throw nothingThere('theRecord')
  const asked: Asked = { request, admitted, serving, address, plan: planned, counted: planned }
  const { headers: noted, ...restricted } = await handedOut(asked)
  const { status, headers, body } = await answer({ ...asked, ...restricted })
  const { companyId, credentialId } = caller
  return {
    status,
    headers: { ...admitted.headers, ...together({ ...told, ...noted }, headers) },
    body,
    about: { companyId, credentialId },
  }
}

/** A read of export lines is restricted and logged (ADR 0040); all other plans stay as they are. */
async function handedOut(asked: Asked): Promise<HandedOut> {
  const { plan, address } = asked
  if (plan.resource !== exportable) return { plan, counted: plan, headers: {} }
  if (address.wants !== 'count') return handOut(plan, asked)
  const { plan: held } = await within(plan, {
    caller: asked.admitted.caller,
    reader: asked.serving.store,
  })
  return { plan: held, counted: held, headers: {} }
}

/** `Preference-Applied` is set in more than one place. */
function together(told: Reply['headers'], own: Reply['headers']): Reply['headers'] {
  const name = 'Preference-Applied'
  const applied = [told[name], own[name]].filter((one) => one !== undefined)
  return { ...told, ...own, ...(applied.length === 0 ? {} : { [name]: applied.join(', ') }) }
}

/** A count with a filter both in the path and in `$filter` is ambiguous (OData 4.01 part 2, 4.12). */
function refuseTwoFilters({ wants, filters }: Address, query: Query): void {
  if (wants !== 'count' || filters.length === 0 || !query.has('$filter')) return
  const says = { name: '$filter', problem: phrase('isInPath') }
  throw new Fault('InvalidQueryOption', { target: '$filter', says })
}

/** Retrievals are logged line by line (ADR 0040), which is impossible for aggregated lines. */
function refuseSumsOfOffers({ resource }: Address, query: Query): void {
  if (resource === exportable && query.has('$apply'))
    throw new Fault('NotSupported', { target: '$apply', says: { feature: phrase('offeredLines') } })
}

function mannerOf({ wants, field, composite, isOne }: Address): Manner {
  if (wants === 'count') return manners.count
  if (wants === 'value') return manners.value
  if (wants === 'references') return isOne ? manners.reference : manners.references
  if (field !== null) return manners.field
  if (composite !== null) return manners.composite
  return isOne ? manners.record : manners.set
}

function withFormat(names: readonly string[]) {
  return parametersOf([...names, '$format', '$schemaversion'])
}

export const manners = {
  set: { parameters: withFormat([...setOptions, '$skiptoken', '$deltatoken']), answer: answerSet },
  record: { parameters: withFormat(entityOptions), answer: answerRecord },
  identified: { parameters: withFormat(['$id', ...entityOptions]), answer: answerRecord },
  references: { parameters: withFormat(referenceOptions), answer: answerReferences },
  reference: { parameters: withFormat([]), answer: answerReference },
  field: { parameters: withFormat([]), answer: answerField },
  composite: { parameters: withFormat(['$select']), answer: answerField },
  count: {
    parameters: withFormat(['$filter', '$search']),
    isText: true,
    answer: answerCount,
  },
  value: { parameters: withFormat([]), isText: true, answer: answerValue },
} as const satisfies Record<string, Manner>

/** The scope for reading the set that the path begins with. */
function scopeOf({ resource, via }: Located): Scope {
  return via === null ? scopeOfResource(resource) : scopeOf(via.from)
}

export function scopeOfResource({ right, wire }: Resource): Scope {
  const scope = scopes.find((one) => one === right)
  if (scope === undefined) throw new Error(`${wire} requires an unknown scope: ${right}`)
  return scope
}

/** The planner's options for a read by this caller, without the clock. */
export function readingOf(
  schema: Schema,
  request: Request,
  caller: Caller,
): Omit<Reading, 'clock'> {
  return {
    schema,
    companyId: caller.companyId,
    rights: caller.scopes,
    zone: caller.company.zone,
    dialect: standard,
    dates: 'date',
    naming: isDeclaring(request) ? 'declared' : 'plain',
  }
}

/** OData clients, and clients of the original service, get the declared names (ADR 0006). */
function isDeclaring(request: Request): boolean {
  return (
    rootOf(request.path).toLowerCase() === 'odata' ||
    ['x-api-version', 'odata-version', 'odata-maxversion'].some(
      (name) => request.header(name) !== undefined,
    )
  )
}
