// A set since a moment: the records that were changed after a stamp and are still in it, and those that are not.
import { allOf } from '#plan/bind-related.ts'
import { fieldValue } from '#plan/frame.ts'
import { fieldsOf } from '#plan/names.ts'
import type { Condition, ReadPlan } from '#plan/read-plan.ts'

/** Those that the plan finds, whatever it skips and takes. */
export const changedAfter = (plan: ReadPlan, stamp: number): ReadPlan =>
  limited(plan, stamp, plan.filter === null ? [] : [plan.filter])

/** Those that the plan does not find, by their keys; null where it finds all there are. */
export const leftAfter = (plan: ReadPlan, stamp: number): ReadPlan | null => {
  if (plan.filter === null) return null
  const select = plan.resource.key.map((name) => ({ field: name, as: name }))
  return { ...limited(plan, stamp, [{ kind: 'not', of: plan.filter }]), select }
}

const limited = (plan: ReadPlan, stamp: number, conditions: readonly Condition[]): ReadPlan => {
  const field = fieldsOf(plan.resource).all.find(({ name }) => name === 'changedAt')
  if (field === undefined) throw new Error(`${plan.resource.table} tells of no change`)
  const isLater: Condition = {
    kind: 'compare',
    operator: 'gt',
    left: fieldValue({ number: plan.number, isJoined: false }, field),
    right: { kind: 'literal', index: plan.values.length, type: 'stamp' },
  }
  const filter = allOf([isLater, ...conditions])
  return { ...plan, filter, values: [...plan.values, stamp], skip: 0, top: null, count: false }
}
