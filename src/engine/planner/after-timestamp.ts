// Delta queries: records of a set that changed after a timestamp, and those that left the set.
import { compare, conjunctionOf } from './expressions/conditions.ts'
import { fieldValue } from './expressions/field-value.ts'
import { requiredKeyFields } from './expressions/names.ts'
import { fieldsNamed } from './expressions/resource-fields.ts'
import type { ReadPlan } from './read-plan.ts'
import type { Condition } from './expressions/bound-expression.ts'

/**
 * Changed records that are still in the set, with their keys and without paging, since a delta must identify each
 * record.
 */
export function changedAfter(plan: ReadPlan, timestamp: number): ReadPlan {
  const { resource, select, filter } = plan
  const selected = new Set(select.map(({ field }) => field))
  const keys = requiredKeyFields(resource, null)
    .filter(({ name }) => !selected.has(name))
    .map(({ name, wire }) => ({ field: name, as: wire }))
  const changes = restrictToChanges(plan, timestamp, filter === null ? [] : [filter])
  return { ...changes, select: [...keys, ...select] }
}

/** Changed records that are not in the set, by their keys; null where the plan has no filter. */
export function leftSetAfter(plan: ReadPlan, timestamp: number): ReadPlan | null {
  if (plan.filter === null) return null
  const select = plan.resource.key.map((name) => ({ field: name, as: name }))
  return { ...restrictToChanges(plan, timestamp, [{ kind: 'not', of: plan.filter }]), select }
}

function restrictToChanges(plan: ReadPlan, timestamp: number, conditions: readonly Condition[]): ReadPlan {
  const [field] = fieldsNamed(plan.resource, ['changedAt'])
  if (field === undefined) throw new Error(`${plan.resource.table} has no timestamp of changes`)
  const changedAt = fieldValue({ number: plan.number, isJoined: false }, field)
  const literal = { kind: 'literal', index: plan.values.length, type: 'timestamp' } as const
  const filter = conjunctionOf([compare('gt', changedAt, literal), ...conditions])
  return { ...plan, filter, values: [...plan.values, timestamp], skip: 0, top: null, count: false }
}
