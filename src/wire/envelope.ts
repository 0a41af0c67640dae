// What stands around the records of an OData answer (OData JSON 4.0, 4.5 and 10).
import type { Schema } from '#model/schema.ts'
import type { ReadPlan, SetPlan } from '#plan/read-plan.ts'
import { controlName, type RecordForm } from '#plan/record-form.ts'

/** What the answer to a set opens with, up to its array: `{"@odata.context":…,"@odata.count":7,"value":`. */
export const setOpening = (plan: ReadPlan, count: number | null): string =>
  opening(plan.form, contextOf(plan), count)

export const opening = (form: RecordForm, context: string, count: number | null): string => {
  const total = form.decimals === 'string' ? `"${count}"` : String(count)
  const members = [
    ...contextMember(form, context),
    ...(count === null ? [] : [`"${controlName(form, 'count')}":${total}`]),
    '"value":',
  ]
  return `{${members.join(',')}`
}

/** The same before what changed in a set (OData JSON 4.0, 15). */
export const changesOpening = (plan: ReadPlan): string =>
  opening(plan.form, `${contextOf(plan)}/$delta`, null)

export type Reason = 'deleted' | 'changed'

/** A record that is in the set no more: it is gone, or it does not meet the condition any longer. */
export const removedMember = ({ form, resource }: ReadPlan, id: string, reason: Reason): string => {
  if (form.version !== '4.0') return JSON.stringify({ '@removed': { reason }, '@id': id })
  const context = `${form.root}/$metadata#${resource.wire}/$deletedEntity`
  return inContext(form, context, JSON.stringify({ id, reason }))
}

/** Where a reader goes on: to the rest of the set, or to what changes in it from now on. */
export type Link = { readonly nextLink: string } | { readonly deltaLink: string }

/** What closes the array and the answer. */
export const setClosing = (form: RecordForm, link: Link | null): string => {
  const members = Object.entries(link ?? {}).map(
    ([name, address]) => `,"${controlName(form, name)}":${JSON.stringify(address)}`,
  )
  return `]${members.join('')}}`
}

/** One record with its context as its first member; `object` is the record as JSON. */
export const entityBody = (plan: ReadPlan, object: string): string =>
  inContext(plan.form, `${contextOf(plan)}/$entity`, object)

/** An object as JSON, with its context as its first member. */
export const inContext = (form: RecordForm, context: string, object: string): string =>
  withMembers(contextMember(form, context), object)

/** The record as JSON, with its mark in front, but behind its type (OData JSON 4.01, 4.5). */
export const withEtag = (form: RecordForm, object: string, etag: string): string => {
  if (form.metadata === 'none') return object
  const mark = `"${controlName(form, 'etag')}":${JSON.stringify(etag)}`
  const hasType = object.startsWith(`{"${controlName(form, 'type')}":`)
  if (!hasType) return withMembers([mark], object)
  const typeEnd = object.indexOf(',')
  return `${object.slice(0, typeEnd)},${mark}${object.slice(typeEnd)}`
}

const withMembers = (members: readonly string[], object: string): string => {
  if (members.length === 0) return object
  return `{${members.join(',')}${object === '{}' ? '}' : `,${object.slice(1)}`}`
}

/** Nothing is told of the context where no metadata is wanted (OData JSON 4.01, 3.1.3). */
const contextMember = (form: RecordForm, context: string): string[] =>
  form.metadata === 'none' ? [] : [`"${controlName(form, 'context')}":${JSON.stringify(context)}`]

/** The sets of a service, at addresses relative to its root. */
export const serviceDocument = (form: RecordForm, { resources }: Schema): string =>
  JSON.stringify({
    ...(form.metadata === 'none'
      ? {}
      : { [controlName(form, 'context')]: `${form.root}/$metadata` }),
    value: resources.map(({ wire }) => ({ name: wire, kind: 'EntitySet', url: wire })),
  })

/** In declared names, whatever names the answer has; the fragment is not percent-encoded. */
const contextOf = (plan: ReadPlan): string =>
  `${plan.form.root}/$metadata#${plan.resource.wire}${selectList(plan, plan.form)}`

/** In 4.0 an expanded relation stands here only with what was selected of it, in 4.01 always. */
const selectList = (plan: SetPlan, form: RecordForm): string => {
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
