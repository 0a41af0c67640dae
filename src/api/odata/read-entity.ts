// Reads of one entity: itself, its `$ref`, a property, or a property's `$value`.
import { nothingThere, requireStart, type Answer, type Asked } from './read-request.ts'
import { etagFields, etagOf, isNamed } from '../../engine/model/etag.ts'
import { pathOf } from '../../engine/planner/expressions/names.ts'
import { valueName, withBeside } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { fieldContext, referenceContext } from '../../engine/formats/write/context-url.ts'
import { controlName } from '../../engine/planner/select/record-form.ts'
import { entityBody, inContext, withEtag } from '../../engine/formats/write/envelope.ts'
import { recordAddress } from '../../engine/formats/write/record-address.ts'
import type { Value } from '../../engine/formats/write/write-rows.ts'

/** `Set(key)`, `Set/key`, `Set(key)/Nav`. */
export async function answerRecord(asked: Asked): Promise<Answer> {
  const { plan, request } = asked
  const { resource } = plan
  const hasEtag = etagOf(resource, {}) !== null
  const found = await readOne(asked, hasEtag ? etagFields(resource) : [])
  if (found === null) return nothing
  const etag = etagOf(resource, found.beside)
  if (etag === null) return { status: 200, headers: {}, body: entityBody(plan, found.json) }
  // The ETag does not cover expanded records.
  const headers: Record<string, string> = plan.expand.length === 0 ? { ETag: etag } : {}
  const list = request.header('if-none-match')
  if (headers['ETag'] !== undefined && list !== undefined && isNamed(list, etag))
    return { status: 304, headers, body: null }
  return { status: 200, headers, body: entityBody(plan, withEtag(plan.form, found.json, etag)) }
}

/** `Set(key)/$ref`. */
export async function answerReference(asked: Asked): Promise<Answer> {
  const { resource, form } = asked.plan
  const found = await readOne(asked, resource.key)
  if (found === null) return nothing
  const id = recordAddress(resource, keyOf(asked.plan, found))
  const object = `{"${controlName(form, 'id')}":${JSON.stringify(id)}}`
  const body = inContext(form, referenceContext(form.root), object)
  return { status: 200, headers: {}, body }
}

/** `Set(key)/Prop`; 204 when it is null. */
export async function answerField(asked: Asked): Promise<Answer> {
  const { plan, address } = asked
  const { resource, form } = plan
  const found = await readOne(asked, resource.key)
  const value = found === null ? null : valueIn(asked, found)
  if (found === null || value === null) return nothing
  const of = { resource, key: keyOf(plan, found) }
  const context = fieldContext(form.root, of, pathTold(asked))
  const object = address.composite === null ? `{"${valueName}":${value}}` : value
  return { status: 200, headers: {}, body: inContext(form, context, object) }
}

/** `Set(key)/Prop/$value` as plain text; numbers as in JSON. */
export async function answerValue(asked: Asked): Promise<Answer> {
  const found = await readOne(asked, [])
  const json = found === null ? null : valueIn(asked, found)
  if (json === null) return nothing
  const body = json.startsWith('"') ? String(JSON.parse(json)) : json
  return { status: 200, headers: {}, body }
}

/** Unwraps the value from one object per segment of its path; null when one of them is null. */
function valueIn({ address }: Asked, { json }: Found): string | null {
  const depth = wayTo(address).length
  const start = `{"${valueName}":`.repeat(depth)
  const value = json.startsWith(start) ? json.slice(start.length, -depth) : 'null'
  return value === 'null' ? null : value
}

function wayTo({ field, composite }: Asked['address']): readonly string[] {
  return field === null ? (composite?.path ?? []) : pathOf(field)
}

/** The property path for the context URL, with the selected fields. */
function pathTold({ address, plan }: Asked): string {
  const path = wayTo(address).join('/')
  const isPart = address.composite !== null && plan.selected !== null
  return isPart ? `${path}(${plan.selected.join(',')})` : path
}

const nothing: Answer = { status: 204, headers: {}, body: null }

interface Found {
  readonly json: string
  readonly beside: Readonly<Record<string, Value>>
}

/** Null when a relation has no record. Throws `NotFound` when the path names a record that does not exist. */
async function readOne(asked: Asked, beside: readonly string[]): Promise<Found | null> {
  const { plan, address, serving } = asked
  const rows = await serving.store.readRows(withBeside(plan, beside), 'json', asked.request)
  const [json, ...values] = ('whole' in rows ? rows.whole[0] : undefined) ?? []
  if (typeof json === 'string')
    return {
      json,
      beside: Object.fromEntries(beside.map((name, index) => [name, values[index] ?? null])),
    }
  if (plan.start === null || address.key.length > 0) throw nothingThere('theRecord')
  await requireStart(asked)
  return null
}

function keyOf({ resource }: ReadPlan, { beside }: Found): readonly Value[] {
  return resource.key.map((name) => beside[name] ?? null)
}
