// Collection binding: `any`, `all` and `$count` over related records.
import { truncateName, invalidOptionError } from '../../odata/options/option.ts'
import type { CountNode, LambdaNode, NameNode } from '../../odata/expressions/syntax.ts'
import { message } from '../../../errors/messages.ts'
import { bindSearch } from './bind-search.ts'
import { addJoinedRelation } from '../binding.ts'
import { conjunctionOf } from './conditions.ts'
import { collectionScope, resolveName, noComputedValues, type NameScope, type RecordRef } from './scope.ts'
import type { Condition, RelatedRecords } from './bound-expression.ts'

/** `all` means that no record fails the condition: true for an empty collection. */
export function bindLambda(scope: NameScope, { quantifier, path, variable, condition }: LambdaNode): Condition {
  const { record, around, related } = bindCollection(scope, path)
  const isAny = quantifier === 'any'
  let filter: Condition | null = null
  if (condition !== null && variable !== null) {
    const variables = new Map(scope.variables).set(variable.name.toLowerCase(), record)
    const matches = around.binder.bindCondition({ ...around, variables }, condition, true)
    filter = isAny ? matches : { kind: 'not', of: matches }
  }
  const any: Condition = { kind: 'any', of: { ...related, filter } }
  return isAny ? any : { kind: 'not', of: any }
}

/** The records to count; inside the brackets names are those of the related records. */
export function bindCount(scope: NameScope, { path, filter, search }: CountNode): RelatedRecords {
  const { related, inside } = bindCollection(scope, path)
  const conditions = [
    ...(filter === null ? [] : [inside.binder.bindCondition(inside, filter, true)]),
    ...(search === null ? [] : [bindSearch(inside, search)]),
  ]
  return { ...related, filter: conjunctionOf(conditions) }
}

/**
 * The collection at the end of a path. In the scope `inside`, names are those of its records; in `around`, they stay
 * those of the outer record.
 */
export function bindCollection(scope: NameScope, names: readonly NameNode[]) {
  const resolved = resolveName(scope, names)
  const last = names.at(-1)
  if (last === undefined) throw new Error('an empty path')
  if (resolved.kind !== 'relation' || !resolved.relation.isMany) {
    const problem = message('isNotCollection', { name: truncateName(last.name) })
    throw invalidOptionError(scope.option, last.column, problem)
  }
  const { from, relation } = resolved
  const around = collectionScope(scope, relation, last)
  const number = addJoinedRelation(scope.binding, relation, scope.option, last)
  const view = { ...from.view, resource: relation.to }
  const record: RecordRef = { view, number, joins: [], isJoined: false }
  const related = { number, from: from.number, relation, joins: record.joins }
  return { record, related, around, inside: { ...around, record, computed: noComputedValues } }
}
