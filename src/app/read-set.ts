// `GET /app/les/<set>?…`: the query language over any set, with the session's company and role (ADR 0008).
import type { Asked } from '#app/route.ts'
import { words } from '#app/words.ts'
import { Fault } from '#faults.ts'
import type { Reply } from '#http/request.ts'
import { dagsverk } from '#model/dagsverk.ts'
import type { Resource } from '#model/resource.ts'
import { standard } from '#odata/dialect.ts'
import { knownParameters, parseQuery } from '#odata/query.ts'
import { phrase } from '#phrases.ts'
import { planRead, setOptions } from '#plan/plan-read.ts'
import type { ReadPlan } from '#plan/read-plan.ts'
import { plainForm } from '#plan/record-form.ts'
import type { Store } from '#store/store.ts'
import { setOpening } from '#wire/envelope.ts'

/** A set in OData's envelope, a thousand records at most: a screen asks for the next with `$skip`. */
export const readSet = async ({ request, visitor, store, clock }: Asked): Promise<Reply> => {
  const { companyId, company } = visitor.caller
  const rights: ReadonlySet<string> = visitor.caller.scopes
  const resource = resourceAt(request.path)
  if (!rights.has(resource.right))
    throw new Fault('RoleMissing', { says: { role: visitor.role, company: company.name } })
  const plan = planRead(resource, parseQuery(request.search, parameters), {
    schema: dagsverk,
    companyId,
    rights,
    zone: company.zone,
    dialect: standard,
    dates: 'date',
    naming: 'declared',
    clock,
    form: { ...plainForm, root: `${request.origin}/odata` },
  })
  const page = { ...plan, top: Math.min(plan.top ?? rowsMax, rowsMax) }
  const count = plan.count ? await store.count(plan) : null
  const opening = setOpening(plan, count)
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `${opening}[${await recordsOf(store, page)}]}`,
  }
}

const rowsMax = 1_000

const parameters = knownParameters(setOptions, 'refused')

const resourceAt = (path: string): Resource => {
  const name = path.slice(words.read.indexOf(':')).toLowerCase()
  const resource = dagsverk.resources.find(({ wire }) => wire.toLowerCase() === name)
  if (resource === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return resource
}

const recordsOf = async (store: Store, plan: ReadPlan): Promise<string> => {
  const records = await store.readJson(plan)
  if ('whole' in records) return String(records.whole)
  const texts = await Array.fromAsync(records.batches)
  return texts.join(',')
}
