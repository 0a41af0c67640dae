// What stands around the records of an OData answer (OData JSON 4.0, 4.5 and 10).
import type { Schema } from '#model/schema.ts'
import type { SetPlan } from '#plan/read-plan.ts'

/** What an answer opens with, up to its array. `root` is the absolute address of the service that was called. */
export const setOpening = (root: string, plan: SetPlan, count: number | null): string => {
  const context = JSON.stringify(contextOf(root, plan))
  const total = count === null ? '' : `"@odata.count":${count},`
  return `{"@odata.context":${context},${total}"value":`
}

/** One record with its context as its first member; `object` is the record as JSON. */
export const entityBody = (root: string, plan: SetPlan, object: string): string => {
  const context = `{"@odata.context":${JSON.stringify(`${contextOf(root, plan)}/$entity`)}`
  return object === '{}' ? `${context}}` : `${context},${object.slice(1)}`
}

/** The sets of a service, at addresses relative to its root. */
export const serviceDocument = (root: string, { resources }: Schema): string =>
  JSON.stringify({
    '@odata.context': `${root}/$metadata`,
    value: resources.map(({ wire }) => ({ name: wire, kind: 'EntitySet', url: wire })),
  })

/** In declared names, whatever names the answer has; the fragment is not percent-encoded. */
const contextOf = (root: string, plan: SetPlan): string =>
  `${root}/$metadata#${plan.resource.wire}${selectList(plan)}`

/** In 4.0 an expanded relation stands here only with what was selected of it, and references do not stand here. */
const selectList = (plan: SetPlan): string => {
  const expanded = plan.expand
    .filter(({ wants }) => wants !== 'references')
    .map((expand) => ({ name: expand.relation.wire, list: selectList(expand) }))
    .filter(({ list }) => list !== '')
  const whole = new Set(expanded.map(({ name }) => name))
  const parts = [
    ...(plan.selected ?? []).filter((name) => !whole.has(name)),
    ...expanded.map(({ name, list }) => name + list),
  ]
  return parts.length === 0 ? '' : `(${parts.join(',')})`
}
