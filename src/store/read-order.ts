// In which order the records of a set come.
import { sql, type RawBuilder } from 'kysely'
import type { Condition, FieldValue, Order, SetPlan, Value } from '#plan/read-plan.ts'
import { numbered } from '#store/read-columns.ts'
import type { ValueWriter } from '#store/read-values.ts'
import type { DialectName } from '#store/statement.ts'

type Sql = RawBuilder<unknown>

export class OrderWriter {
  readonly #dialect: DialectName
  readonly #values: ValueWriter

  constructor(dialect: DialectName, values: ValueWriter) {
    this.#dialect = dialect
    this.#values = values
  }

  /** All of it; nothing where nothing is ordered. */
  by(plan: SetPlan): Sql {
    if (plan.orderBy.length === 0) return sql``
    return sql`order by ${sql.join(plan.orderBy.map((one) => this.term(plan, one, null)))}`
  }

  /**
   * Nulls come first ascending and last descending (OData 4.01 part 1, 11.2.6.2); SQLite does so by itself.
   * Where the filter says which part of the clustered table is wanted, the `+` keeps SQLite from walking
   * through all of the company in the wanted order instead: it knows nothing of how few will match. `made` is
   * what was worked out before.
   */
  term(plan: SetPlan, { value, descending }: Order, made: Sql | null): Sql {
    const direction = descending ? sql`desc` : sql`asc`
    const isField = value.kind === 'field' && value.blank !== 'joined'
    const ordered = made ?? (isField ? numbered(value.of, value.field) : this.#values.write(value))
    if (this.#dialect === 'sqlite')
      return sql`${isField && isInCluster(plan) ? sql`+` : sql``}${ordered} ${direction}`
    if (isField && (!value.isOptional || value.blank === 'own')) return sql`${ordered} ${direction}`
    return sql`${ordered} ${direction} ${descending ? sql`nulls last` : sql`nulls first`}`
  }
}

/** The order of the key is the order of an index: nothing is sorted. */
export const isByKey = ({ orderBy, resource, number }: SetPlan): boolean =>
  orderBy.length === resource.key.length &&
  orderBy.every(({ value }) => isOwnField({ number }, value))

export const isOwnField = (
  { number }: Pick<SetPlan, 'number'>,
  value: Value,
): value is FieldValue => value.kind === 'field' && value.of === number

/** Whether every match has a bound on the field that the table lies in the order of. */
const isInCluster = ({ filter, resource, orderBy, number }: SetPlan): boolean => {
  const isOn = (value: Value | undefined): boolean =>
    value?.kind === 'field' && value.of === number && value.field === resource.clusteredBy
  // The order of the table itself is a gift that is not refused.
  if (isOn(orderBy[0]?.value)) return false
  const isBound = (condition: Condition): boolean => {
    if (condition.kind === 'and') return condition.of.some(isBound)
    if (condition.kind === 'or') return condition.of.every(isBound)
    if (condition.kind === 'compare') return condition.operator !== 'ne' && isOn(condition.left)
    return condition.kind === 'in' && isOn(condition.left)
  }
  return filter !== null && resource.clusteredBy !== undefined && isBound(filter)
}
