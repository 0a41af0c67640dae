// A read, from request to reply: who asks, in which format, what for, and the rows.
import { admit, devHeaders, parametersOf, type Operation } from '#api/operation.ts'
import type { Reply } from '#http/request.ts'
import type { Resource } from '#model/resource.ts'
import type { Scope } from '#auth/scopes.ts'
import { finn } from '#odata/dialect.ts'
import { planRead, readOptions } from '#plan/plan-read.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import type { Store } from '#store/store.ts'
import { formatFor } from '#wire/negotiate.ts'
import { writeXmlRows } from '#wire/write-records.ts'

/** `Finn` over a resource (interface 4.1): a bare array of its records. */
export const finds = (
  resource: Resource,
  described: Pick<Operation, 'summary' | 'rule'> & { readonly scope: Scope },
): Operation => ({
  ...described,
  resource,
  input: null,
  parameters,
  body: 'none',
  handle: async (request, serving) => {
    const { caller, query, headers } = await admit(request, serving, { ...described, parameters })
    const format = formatFor(request.header('accept'))
    const plan = planRead(resource, query, {
      companyId: caller.companyId,
      zone: caller.company.zone,
      dialect: finn,
      dates: 'midnight',
    })
    const counted: Record<string, string> = plan.count
      ? { 'X-Total-Count': String(await serving.store.count(plan)) }
      : {}
    const reply =
      format === 'json' ? await asJson(plan, serving.store) : await asXml(plan, serving.store)
    return {
      ...reply,
      headers: { ...headers, ...devHeaders, ...counted, ...reply.headers },
      about: { companyId: caller.companyId, credentialId: caller.credentialId },
    }
  },
})

const parameters = parametersOf([...readOptions, '$format'], 'ignored')

const asJson = async (plan: ReadPlan, store: Store): Promise<Reply> => {
  const answer = await store.readJson(plan)
  const body = 'whole' in answer ? answer.whole : await started(answer.pieces)
  return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body }
}

const asXml = async (plan: ReadPlan, store: Store): Promise<Reply> => ({
  status: 200,
  headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  body: await started(writeXmlRows(plan, store.readRows(plan))),
})

/** Waits for the first piece, so that what goes wrong before it is still answered with its own status. */
const started = async <T>(pieces: AsyncIterable<T>): Promise<AsyncIterable<T>> => {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      if (!first.done) yield first.value
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}
