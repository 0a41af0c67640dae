// What stands around the records of an OData answer (OData JSON 4.0, 4.5 and 10).
import type { Schema } from '#model/schema.ts'
import type { ReadPlan, SetPlan } from '#plan/read-plan.ts'
import { controlName, type RecordForm } from '#plan/record-form.ts'

/** What an answer opens with, up to its array: `{"@odata.context":…,"@odata.count":7,"value":`. */
export const setOpening = (plan: ReadPlan, count: number | null): string => {
  const { form } = plan
  const total = form.decimals === 'string' ? `"${count}"` : String(count)
  const members = [
    ...contextMember(plan, ''),
    ...(count === null ? [] : [`"${controlName(form, 'count')}":${total}`]),
    '"value":',
  ]
  return `{${members.join(',')}`
}

/** One record with its context as its first member; `object` is the record as JSON. */
export const entityBody = (plan: ReadPlan, object: string): string => {
  const [context] = contextMember(plan, '/$entity')
  if (context === undefined) return object
  return object === '{}' ? `{${context}}` : `{${context},${object.slice(1)}`
}

/** Nothing is told of the context where no metadata is wanted (OData JSON 4.01, 3.1.3). */
const contextMember = (plan: ReadPlan, end: string): string[] => {
  const { form } = plan
  if (form.metadata === 'none') return []
  return [`"${controlName(form, 'context')}":${JSON.stringify(contextOf(plan) + end)}`]
}

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
