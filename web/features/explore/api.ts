// Sets that can be explored, with their fields and relations.
import type { FieldDescription } from '../../../src/app/contract/directory.ts'
import { replyQuery } from '../../api/reply-query.ts'

export const setDescriptionsQuery = replyQuery(['set-names'], 'setNames', { staleTime: Infinity })

/** Splits a list at commas outside parentheses. */
export function splitList(list: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const letter of list) {
    depth += { '(': 1, ')': -1 }[letter] ?? 0
    if (letter === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += letter
  }
  return [...parts, part.trim()].filter((one) => one !== '')
}

/** Adds the name, or removes it together with its parentheses. */
export function toggleName(list: string, name: string): string {
  const parts = splitList(list)
  const others = parts.filter((part) => part.split('(')[0] !== name)
  return (others.length < parts.length ? others : [...parts, name]).join(',')
}

export const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'contains', 'startswith'] as const

export type ComparisonName = (typeof operators)[number]

/** Appends a condition with the value as an OData literal. */
export function addCondition(
  filter: string,
  { name, type }: FieldDescription,
  operator: ComparisonName,
  value: string,
): string {
  const isText = type === 'text' || operator === 'contains' || operator === 'startswith'
  const literal = isText ? `'${value.replaceAll("'", "''")}'` : value.trim().replace(',', '.')
  const condition =
    operator === 'contains' || operator === 'startswith'
      ? `${operator}(${name},${literal})`
      : `${name} ${operator} ${literal}`
  return filter.trim() === '' ? condition : `${filter} and ${condition}`
}
