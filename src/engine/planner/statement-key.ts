// Statement key: a text of everything the SQL of a plan depends on; literal values excluded.
import type { Enumeration, Resource } from '../model/resource.ts'
import type { Relation } from '../model/schema.ts'
import type { Condition, Value } from './expressions/bound-expression.ts'
import type { ExpandPlan, ReadPlan, SetPlan } from './read-plan.ts'

/**
 * The key of a plan's compiled statement in the cache of the store. It consists of names from the model and keywords of the
 * plan, never of text from a request. Company, output names, and top and count of the plan itself are left out: they are
 * parameters, or another statement; so is how many records are skipped.
 */
export function statementKey(plan: ReadPlan): string {
  const skip = plan.skip > 0 ? ' skip' : ''
  if (plan.unionPlans.length > 0) return `all(${plan.unionPlans.map(statementKey).join(')(')})${skip}`
  let text = setKey(plan) + skip
  if (plan.parent !== null && plan.apply === null) text += ` /${partKey(plan.parent)}`
  for (const value of plan.extraColumns) text += ` &${partKey(value)}`
  return text
}

function setKey(plan: SetPlan): string {
  let text = plan.etagField === null ? `${plan.resource.table} ` : `${plan.resource.table}! `
  for (const { field } of plan.select) text += `${field},`
  text += ' '
  for (const { value, descending } of plan.orderBy) text += descending ? `${partKey(value)}-,` : `${partKey(value)}+,`
  if (plan.filter !== null) text += ` ${partKey(plan.filter)}`
  for (const { value } of plan.computed) text += ` =${partKey(value)}`
  for (const join of plan.joins) text += ` ${partKey(join)}`
  if (plan.apply !== null) text += ` ${partKey(plan.apply)}`
  for (const expand of plan.expand) text += expandKey(expand)
  return text
}

function expandKey(expand: ExpandPlan): string {
  const { relation, number, resultKind, top, skip, count } = expand
  const page = top === null && skip === 0 ? '' : 'page '
  return ` ${relation.wire}${number}(${resultKind} ${page}${count ? 'count ' : ''}${setKey(expand)})`
}

/**
 * The key of a part of a plan: that of its members in order, because the planner makes all parts of one kind with the
 * same members. What belongs to the model is identified by its name.
 */
function partKey(part: object): string {
  if (isExpression(part))
    switch (part.kind) {
      case 'field':
        return part.recordNumber === 0 ? part.field : `${part.recordNumber}.${part.field}`
      case 'literal':
        return `?${part.index}:${memberKey(part.type)}`
      case 'compare':
        return `${part.operator}(${partKey(part.left)},${partKey(part.right)})`
    }
  if (isOfModel(part)) return 'on' in part ? `${part.of.table}/${part.wire}` : 'table' in part ? part.table : part.wire
  let text = '('
  for (const member of Object.values(part)) text += `${memberKey(member)},`
  return `${text})`
}

function memberKey(member: unknown): string {
  return typeof member === 'object' && member !== null ? partKey(member) : String(member)
}

function isExpression(part: object): part is Value | Condition {
  return 'kind' in part
}

function isOfModel(part: object): part is Resource | Relation | Enumeration {
  return 'wire' in part
}
