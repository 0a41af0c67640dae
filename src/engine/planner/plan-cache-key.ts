// Plan cache key: a text of everything the SQL of a plan depends on; literal values excluded.
import type { AggregateColumn, ApplyPlan, ApplyStep } from './apply/apply-plan.ts'
import type { ExpandPlan, ReadPlan, SetPlan } from './read-plan.ts'
import type {
  SortTerm,
  Condition,
  RecordJoin,
  RelatedRecords,
  ParentRecord,
  Value,
  ValueType,
} from './expressions/bound-expression.ts'

/**
 * The cache key of a plan. It consists of names from the model and keywords of the plan, never of text from a
 * request. Company, output names, and skip, top and count of the plan itself are left out: they are parameters, or
 * another statement.
 */
export function planCacheKey(plan: ReadPlan): string {
  if (plan.unionPlans.length > 0) return `all(${plan.unionPlans.map(planCacheKey).join(')(')})`
  let text = (plan.apply === null ? parentKey(plan.parent) : '') + setKey(plan)
  for (const value of plan.extraColumns) text += ` &${valueKey(value)}`
  return text
}

function parentKey(parent: ParentRecord | null): string {
  if (parent === null) return ''
  const { relation, number, filter } = parent
  const from = filter === null ? '' : conditionKey(filter)
  return `${relation.of.table}${number}/${relation.wire}(${from}) ${parentKey(parent.parent)}`
}

function setKey(plan: SetPlan): string {
  let text = plan.apply === null ? '' : applyKey(plan.apply)
  text += plan.etagField === null ? `${plan.resource.table} ` : `${plan.resource.table}! `
  for (const { field } of plan.select) text += `${field},`
  text += ' '
  for (const { value, descending } of plan.orderBy) text += descending ? `${valueKey(value)}-,` : `${valueKey(value)}+,`
  if (plan.filter !== null) text += ` ${conditionKey(plan.filter)}`
  for (const { value } of plan.computed) text += ` =${valueKey(value)}`
  text += joinKeys(plan.joins)
  for (const expand of plan.expand) text += expandKey(expand)
  return text
}

function expandKey(expand: ExpandPlan): string {
  const { relation, number, resultKind, top, skip, count } = expand
  const page = top === null && skip === 0 ? '' : 'page '
  return ` ${relation.wire}${number}(${resultKind} ${page}${count ? 'count ' : ''}${setKey(expand)})`
}

function joinKeys(joins: readonly RecordJoin[]): string {
  let text = ''
  for (const { from, relation, number, key } of joins) {
    text += ` ${from}/${relation.wire}${number}`
    if (key !== undefined) text += `(${conditionKey(key)})`
  }
  return text
}

function conditionKey(condition: Condition): string {
  switch (condition.kind) {
    case 'constant':
      return String(condition.is)
    case 'not':
      return `not(${conditionKey(condition.of)})`
    case 'compare':
      return pairKey(condition.operator, condition)
    case 'in':
      return pairKey('in', condition)
    case 'text':
      return pairKey(condition.test, condition)
    case 'search':
      return `search(${valueKey(condition.text)},${searchKey(condition.terms)})`
    case 'is':
      return `is(${valueKey(condition.value)},${condition.expected})`
    case 'any':
      return `any(${relatedKey(condition.of)})`
  }
  let text = `${condition.kind}(`
  for (const part of condition.of) text += `${conditionKey(part)},`
  return `${text})`
}

type SearchMatch = Extract<Condition, { readonly kind: 'search' }>

function searchKey(terms: SearchMatch['terms']): string {
  return terms.kind === 'term' ? `?${terms.term.index}` : `${terms.kind}(${terms.of.map(searchKey).join(',')})`
}

function relatedKey(related: RelatedRecords): string {
  const { filter, joins } = related
  return `${joinKeys([related])}${joinKeys(joins)} ${filter === null ? '' : conditionKey(filter)}`
}

function pairKey(name: string, { left, right }: { left: Value; right: Value }): string {
  return `${name}(${valueKey(left)},${valueKey(right)})`
}

/** An enumeration is identified by its name. */
function typeKey(type: ValueType): string {
  return typeof type === 'string' ? type : type.wire
}

function valueKey(value: Value): string {
  switch (value.kind) {
    case 'field':
      return value.recordNumber === 0 ? value.field : `${value.recordNumber}.${value.field}`
    case 'literal':
      return `?${value.index}:${typeKey(value.type)}`
    case 'null':
      return 'null'
    case 'condition':
      return `condition(${conditionKey(value.of)})`
    case 'count':
      return `count(${relatedKey(value.of)})`
    case 'aggregate': {
      const inside = value.value === null ? '' : valueKey(value.value)
      return `${value.method}(${relatedKey(value.of)},${inside}):${typeKey(value.type)}`
    }
    case 'call': {
      let text = `${value.name}:${typeKey(value.type)}(`
      for (const arg of value.args) text += `${valueKey(arg)},`
      return `${text})`
    }
  }
  let text = 'case('
  for (const one of value.branches) text += `${conditionKey(one.condition)}:${valueKey(one.value)},`
  return `${text})`
}

/** The part of the key for the steps of `$apply`. */
function applyKey({ steps, rowTypes }: ApplyPlan): string {
  const kinds = rowTypes === null ? '' : `${rowTypes.column}:${rowTypes.columns.join(';')}`
  return `${steps.map(stepKey).join('/')} ${kinds} `
}

function stepKey(step: ApplyStep): string {
  return `${step.kind}${step.number}(${stepDetails(step)})`
}

function stepDetails(step: ApplyStep): string {
  if (step.kind === 'records') {
    const filter = step.filter === null ? '' : conditionKey(step.filter)
    return `${step.resource.table}${parentKey(step.parent)}${joinKeys(step.joins)} ${filter}`
  }
  if (step.kind === 'concat') {
    const branches = step.of.map(({ from, order, columns, firstRowType, rowType }) => {
      const values = columns.map((value) => (value === null ? '' : valueKey(value)))
      const own = rowType === null ? '' : valueKey(rowType)
      return `${from} ${values.join(',')} ${orderKey(order)} ${firstRowType}${own}`
    })
    const names = step.columns.map(({ name, type }) => `${name}:${typeKey(type)}`)
    return `${branches.join(';')} ${names.join(',')} ${step.branch} ${step.ordinal} ${step.rowType}`
  }
  if (step.kind === 'join') {
    const added = step.addedColumns.map(({ name, value }) => `${name}=${valueKey(value)}`)
    const on = step.on.map(({ left, right }) => `${valueKey(left)}=${valueKey(right)}`)
    const what = `${step.from} ${step.with}${step.isOuter ? ' outer' : ''} ${step.passedColumns.join(',')}`
    return `${what} ${added.join(',')} ${on.join(',')}`
  }
  if (step.kind === 'missingGroups') {
    const columns = step.columns.map(({ name, type }) => `${name}:${typeKey(type)}`)
    return `${step.from} ${step.groups} ${step.passedColumns.join(',')} ${columns.join(',')}`
  }
  const taken = `${step.from}${joinKeys(step.joins)} ${step.passedColumns.join(',')}`
  switch (step.kind) {
    case 'rows': {
      const { addedColumns, filter, page } = step
      const added = addedColumns.map(({ name, value }) => `${name}=${valueKey(value)}`).join(',')
      const cut = page === null ? '' : `${orderKey(page.order)} ${page.top?.index ?? ''} ${page.skip?.index ?? ''}`
      return `${taken} ${added} ${filter === null ? '' : conditionKey(filter)} ${cut}`
    }
    case 'group': {
      const { column = '', columns = [], blanks = [] } = step.levels ?? {}
      return `${taken} ${aggregateKeys(step.aggregates)} ${column}${columns.join(';')} ${blanks.join(',')}`
    }
    case 'partitionAggregate':
      return `${taken} ${step.partitionBy.join(',')} ${aggregateKeys(step.aggregates)}`
    case 'ordinal':
      return `${taken} ${step.partitionBy.join(',')} ${orderKey(step.order)} ${step.ordinal}`
    case 'cumulativeLimit': {
      const what = `${step.unit} ${valueKey(step.value)} ${valueKey(step.amount)}`
      return `${taken} ${step.partitionBy.join(',')} ${orderKey(step.order)} ${what}`
    }
  }
  return step satisfies never
}

function aggregateKeys(aggregates: readonly AggregateColumn[]): string {
  return aggregates
    .map(({ name, method, value }) => `${name}=${method} ${value === null ? '' : valueKey(value)}`)
    .join(',')
}

function orderKey(order: readonly SortTerm[]): string {
  return order.map(({ value, descending }) => `${valueKey(value)}${descending ? '-' : '+'}`).join(',')
}
