// A read, from request to reply: who asks, in which format, what for, and the rows.
import { admit, devHeaders, parametersOf, type Operation } from '#api/operation.ts'
import type { Reply } from '#http/request.ts'
import type { Resource } from '#model/resource.ts'
import type { Caller } from '#auth/caller.ts'
import { finn } from '#odata/dialect.ts'
import type { Query } from '#odata/query.ts'
import { planRead, readOptions } from '#plan/plan-read.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import type { SqlValue } from '#store/statement.ts'
import type { Store } from '#store/store.ts'
import { formatFor, type Format } from '#wire/negotiate.ts'
import { jsonArray, xmlArray, type ArrayWriter } from '#wire/write-rows.ts'

type Described = Pick<Operation, 'summary' | 'rule' | 'scope'>

/** `Finn` over a resource (interface 4.1): a bare array of its records, or XML where that is preferred. */
export const finds = (resource: Resource, described: Described): Operation => ({
  ...described,
  resource,
  input: null,
  parameters,
  body: 'none',
  answer: 'records',
  handle: async (request, serving) => {
    const { caller, query, headers } = await admit(request, serving, { ...described, parameters })
    const format = formatFor(request.header('accept'))
    const plan = planFor(resource, query, caller, 'midnight')
    const total: Record<string, string> = plan.count
      ? { 'X-Total-Count': String(await serving.store.count(plan)) }
      : {}
    const body = await bodyOf(plan, serving.store, format)
    return answer(caller, body, {
      ...headers,
      ...devHeaders,
      ...total,
      'Content-Type': `application/${format}; charset=utf-8`,
    })
  },
})

/** A resource as an entity set: its records in the envelope of OData (interface 4.3; ADR 0006). */
export const readsSet = (resource: Resource, described: Described): Operation => ({
  ...described,
  resource,
  input: null,
  parameters,
  body: 'none',
  answer: 'set',
  handle: async (request, serving) => {
    const { caller, query, headers } = await admit(request, serving, { ...described, parameters })
    const plan = planFor(resource, query, caller, 'date')
    const total = plan.count ? `"@odata.count":${await serving.store.count(plan)},` : ''
    const context = `${request.origin}${request.path.replace(/\/[^/]*$/, '')}/$metadata#${resource.wire}`
    const opening = `{"@odata.context":${JSON.stringify(context)},${total}"value":`
    const body = await bodyOf(plan, serving.store, 'json', [opening, '}'])
    return answer(caller, body, {
      ...headers,
      'Content-Type': 'application/json;odata.metadata=minimal',
      'Cache-Control': 'no-cache',
      'OData-Version': '4.0',
    })
  },
})

const planFor = (resource: Resource, query: Query, caller: Caller, dates: ReadPlan['dates']) =>
  planRead(resource, query, {
    companyId: caller.companyId,
    zone: caller.company.zone,
    dialect: finn,
    dates,
  })

const answer = (
  { companyId, credentialId }: Caller,
  body: Reply['body'],
  headers: Reply['headers'],
): Reply => ({ status: 200, headers, body, about: { companyId, credentialId } })

const parameters = parametersOf(readOptions, 'ignored')

/** The array of the plan's records in its envelope; a long one in pieces, as the caller takes them. */
const bodyOf = async (
  plan: ReadPlan,
  store: Store,
  format: Format,
  [before, after]: readonly [string, string] = ['', ''],
) => {
  const array = format === 'json' ? jsonArray : xmlArray(plan)
  const writer = { ...array, start: before + array.start, end: array.end + after }
  const read = store.readRows(plan, format === 'json' ? 'json' : 'values')
  const rows = read instanceof Promise ? await read : read
  return 'whole' in rows
    ? writer.start + writer.rows(rows.whole, true) + writer.end
    : started(pieces(writer, rows.batches))
}

async function* pieces(writer: ArrayWriter, batches: AsyncIterable<SqlValue[][]>) {
  let isFirst = true
  for await (const rows of batches) {
    yield (isFirst ? writer.start : '') + writer.rows(rows, isFirst)
    isFirst = false
  }
  yield (isFirst ? writer.start : '') + writer.end
}

/**
 * Waits for the first piece, so that what goes wrong before it is still answered with its own status. Whoever
 * leaves before taking it ends the pieces too: a generator would not hear of that before it was begun.
 */
const started = async <T>(pieces: AsyncGenerator<T>): Promise<AsyncIterable<T>> => {
  let first: IteratorResult<T> | null = await pieces.next()
  const iterator = {
    next: async () => {
      const next = first ?? (await pieces.next())
      first = null
      return next
    },
    return: () => pieces.return(undefined),
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
