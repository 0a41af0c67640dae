// The parameters of a statement in the order of its placeholders.
import type { SqlValue } from '../engine/sql/dialect.ts'
import type { CompiledStatement, SqlValues } from './statement.ts'

/** Does not load Kysely, so that a query process need not. */
export function orderValues(text: CompiledStatement, values: SqlValues): readonly SqlValue[] {
  if (isOrdered(values)) return values
  return text.placeholders.map((placeholder) => {
    if ('constant' in placeholder) return placeholder.constant
    const value = values[placeholder.name]
    if (value === undefined) throw new Error(`no parameter named ${placeholder.name} for: ${text.sql}`)
    return value
  })
}

function isOrdered(values: SqlValues): values is readonly SqlValue[] {
  return Array.isArray(values)
}
