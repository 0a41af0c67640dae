// `GET /app/les/<set>?…`: OData queries with the company and role of the session (ADR 0008).
import { printsAsXml } from './set-names.ts'
import type { Asked } from '../route.ts'
import { words } from '../paths.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { dagsverk } from '../../model/service-schema.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { standard } from '../../engine/odata/lexer/dialect.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { planRead, setOptions } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { plainForm } from '../../engine/planner/select/record-form.ts'
import type { Client, Store } from '../../store/store.ts'
import { setOpening } from '../../engine/formats/write/envelope.ts'
import { formatFor } from '../../engine/formats/negotiation/negotiate.ts'
import { xmlArray } from '../../engine/formats/write/write-rows.ts'

/**
 * A set in the OData envelope, or as the XML of `Finn` when preferred; at most a thousand records, the next ones with
 * `$skip`.
 */
export async function readSet({ request, visitor, store, clock }: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  const rights: ReadonlySet<string> = visitor.caller.scopes
  const resource = resourceAt(request.path)
  if (!rights.has(resource.right))
    throw new Fault('RoleMissing', { says: { role: visitor.role, company: company.name } })
  const format = formatFor(request.header('accept'))
  const plan = planRead(resource, parseQuery(request.search, parameters), {
    schema: dagsverk,
    companyId,
    rights,
    zone: company.zone,
    dialect: standard,
    dates: format === 'xml' ? 'midnight' : 'date',
    naming: 'declared',
    clock,
    form: { ...plainForm, root: `${request.origin}/odata` },
  })
  const page = { ...plan, top: Math.min(plan.top ?? rowsMax, rowsMax) }
  if (format === 'xml') return xmlReply(store, page, request)
  const count = plan.count ? await store.count(plan, request) : null
  const opening = setOpening(plan, count)
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: `${opening}[${await recordsOf(store, page, request)}]}`,
  }
}

/** Throws `NotAcceptable` for what `Finn` does not support: other sets, counts, computed and expanded fields. */
async function xmlReply(store: Store, plan: ReadPlan, client: Client): Promise<Reply> {
  const isFlat = plan.expand.length + plan.computed.length === 0 && plan.apply === null
  if (!printsAsXml(plan.resource) || !isFlat || plan.count)
    throw new Fault('NotAcceptable', {
      target: 'header:Accept',
      says: { type: 'application/json' },
    })
  const rows = await store.readRows(plan, 'values', client)
  const batches = 'whole' in rows ? [rows.whole] : await Array.fromAsync(rows.batches)
  const array = xmlArray(plan)
  return {
    status: 200,
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-store' },
    body: array.start + array.rows(batches.flat(), true) + array.end,
  }
}

const rowsMax = 1_000

const parameters = knownParameters(setOptions, 'refused')

function resourceAt(path: string): Resource {
  const name = path.slice(words.read.indexOf(':')).toLowerCase()
  const resource = dagsverk.resources.find(({ wire }) => wire.toLowerCase() === name)
  if (resource === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  return resource
}

async function recordsOf(store: Store, plan: ReadPlan, client: Client): Promise<string> {
  const records = await store.readJson(plan, client)
  if ('whole' in records) return String(records.whole)
  const texts = await Array.fromAsync(records.batches)
  return texts.join(',')
}
