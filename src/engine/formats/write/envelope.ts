// What stands around the records of an OData answer (OData JSON 4.0, 4.5 and 10).
import type { Schema } from '../../model/schema.ts'
import type { ReadPlan, SetPlan } from '../../planner/read-plan.ts'
import { controlName, type RecordForm } from '../../planner/select/record-form.ts'

/** What the answer to a set opens with, up to its array: `{"@odata.context":…,"@odata.count":7,"value":`. */
export function setOpening(plan: ReadPlan, count: number | null): string {
  return opening(plan.form, contextOf(plan), count)
}

export function opening(form: RecordForm, context: string, count: number | null): string {
  const total = form.decimals === 'string' ? `"${count}"` : String(count)
  const members = [
    ...contextMember(form, context),
    ...(count === null ? [] : [`"${controlName(form, 'count')}":${total}`]),
    '"value":',
  ]
  return `{${members.join(',')}`
}

/** The same before what changed in a set (OData JSON 4.0, 15). */
export function changesOpening(plan: ReadPlan): string {
  return opening(plan.form, `${contextOf(plan)}/$delta`, null)
}

export type Reason = 'deleted' | 'changed'

/** A record that is in the set no more: it is gone, or it does not meet the condition any longer. */
export function removedMember({ form, resource }: ReadPlan, id: string, reason: Reason): string {
  if (form.version !== '4.0') return JSON.stringify({ '@removed': { reason }, '@id': id })
  const context = `${form.root}/$metadata#${resource.wire}/$deletedEntity`
  return inContext(form, context, JSON.stringify({ id, reason }))
}

/** Where a reader goes on: to the rest of the set, or to what changes in it from now on. */
export type Link = { readonly nextLink: string } | { readonly deltaLink: string }

/** What closes the array and the answer. */
export function setClosing(form: RecordForm, link: Link | null): string {
  const members = Object.entries(link ?? {}).map(
    ([name, address]) => `,"${controlName(form, name)}":${JSON.stringify(address)}`,
  )
  return `]${members.join('')}}`
}

/** One record with its context as its first member; `object` is the record as JSON. */
export function entityBody(plan: ReadPlan, object: string): string {
  return inContext(plan.form, `${contextOf(plan)}/$entity`, object)
}

/** An object as JSON, with its context as its first member. */
export function inContext(form: RecordForm, context: string, object: string): string {
  return withMembers(contextMember(form, context), object)
}

/** The record as JSON, with its mark in front, but behind its type (OData JSON 4.01, 4.5). */
export function withEtag(form: RecordForm, object: string, etag: string): string {
  if (form.metadata === 'none') return object
  const mark = `"${controlName(form, 'etag')}":${JSON.stringify(etag)}`
  const hasType = object.startsWith(`{"${controlName(form, 'type')}":`)
  if (!hasType) return withMembers([mark], object)
  const typeEnd = object.indexOf(',')
  return `${object.slice(0, typeEnd)},${mark}${object.slice(typeEnd)}`
}

function withMembers(members: readonly string[], object: string): string {
  if (members.length === 0) return object
  return `{${members.join(',')}${object === '{}' ? '}' : `,${object.slice(1)}`}`
}

/** Nothing is told of the context where no metadata is wanted (OData JSON 4.01, 3.1.3). */
function contextMember(form: RecordForm, context: string): string[] {
  return form.metadata === 'none'
    ? []
    : [`"${controlName(form, 'context')}":${JSON.stringify(context)}`]
}

/** The sets of a service, at addresses relative to its root. */
export function serviceDocument(form: RecordForm, { resources }: Schema): string {
  return JSON.stringify({
    ...(form.metadata === 'none'
      ? {}
      : { [controlName(form, 'context')]: `${form.root}/$metadata` }),
    value: resources.map(({ wire }) => ({ name: wire, kind: 'EntitySet', url: wire })),
  })
}

/** In declared names, whatever names the answer has; the fragment is not percent-encoded. */
function contextOf(plan: ReadPlan): string {
  return `${plan.form.root}/$metadata#${plan.resource.wire}${selectList(plan, plan.form)}`
}

/** In 4.0 an expanded relation stands here only with what was selected of it, in 4.01 always. */
function selectList(plan: SetPlan, form: RecordForm): string {
  const expanded = plan.expand
    .filter(({ wants }) => wants === 'records')
    .map((expand) => ({ name: expand.relation.wire, list: selectList(expand, form) }))
    .map(({ name, list }) => ({ name, list: list === '' && form.version !== '4.0' ? '()' : list }))
    .filter(({ list }) => list !== '')
  const whole = new Set(expanded.map(({ name }) => name))
  const parts = [
    ...(plan.selected ?? []).filter((name) => !whole.has(name)),
    ...expanded.map(({ name, list }) => name + list),
  ]
  return parts.length === 0 ? '' : `(${parts.join(',')})`
}
