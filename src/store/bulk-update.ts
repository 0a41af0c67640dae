// Bulk update: the rows of one table whose keys are in a list, the fastest way per database (ADR 0014).
import { sql, type RawBuilder } from 'kysely'
import type { SqlValue } from '../engine/sql/dialect.ts'
import { listRows, toRowRanges, type RowOrRange } from './row-ranges.ts'
import { statement, updateEach, type Build, type RowColumns, type Statement } from './statement.ts'
import type { Transaction } from './store.ts'

interface BulkUpdate {
  readonly table: string
  /** The last column of the primary key, and the column of the list that it equals. */
  readonly key: readonly [column: string, listed: string]
  /** The columns of the primary key between the company and it, each with one value for the whole list. */
  readonly within?: readonly string[]
  readonly columns: RowColumns
  /** The columns of the list, the key among them, that rise by one in a list of consecutive keys. */
  readonly rising: readonly string[]
  /** Assignments; `listed` is a column of the list. */
  readonly set: (build: Build, listed: (name: string) => RawBuilder<unknown>) => RawBuilder<unknown>
  readonly where?: (build: Build) => RawBuilder<unknown>
}

interface UpdateStatements extends Pick<BulkUpdate, 'rising'> {
  readonly ofList: Statement<never>
  /** On SQLite: an update that is joined to a list first copies all new rows into a temporary table there. */
  readonly ofRange: Statement<never>
}

export function defineUpdate(update: BulkUpdate): UpdateStatements {
  const { table, columns, rising, set, where = () => sql`1 = 1` } = update
  const [key, first] = [sql.ref(`${table}.${update.key[0]}`), update.key[1]]
  const within = ({ value }: Build) =>
    sql.join(
      ['companyId', ...(update.within ?? [])].map((name) => sql`${sql.ref(`${table}.${name}`)} = ${value(name)}`),
      sql` and `,
    )
  return {
    rising,
    ofList: statement((build) => {
      const listed = (name: string) => sql.ref(`r.${name}`)
      return updateEach(build, {
        table,
        columns,
        set: set(build, listed),
        where: sql`${within(build)} and ${key} = ${listed(first)} and ${where(build)}`,
      })
    }),
    ofRange: statement((build) => {
      const { value } = build
      const listed = (name: string) =>
        rising.includes(name) ? sql`${value(name)} + (${key} - ${value(first)})` : value(name)
      // `is true` hides the condition from the planner, which would search an index that the update changes.
      return sql`update ${sql.table(table)} set ${set(build, listed)}
        where ${within(build)} and ${key} >= ${value(first)} and ${key} < ${value(first)} + ${value('length')}
          and (${where(build)}) is true`
    }),
  }
}

/** Updates the rows of the list, or of its ranges, in its order. */
export async function updateRows(
  transaction: Transaction,
  { rising, ofList, ofRange }: UpdateStatements,
  rows: readonly RowOrRange[],
  values: Readonly<Record<string, SqlValue>>,
): Promise<void> {
  if (rows.length === 0) return
  const { companyId, dialect } = transaction
  const ranges = dialect === 'sqlite' ? toRowRanges(rows, rising) : null
  if (ranges === null)
    return transaction.run(ofList, { ...values, companyId, rows: JSON.stringify(listRows(rows, rising)) })
  // On a thread of its own, SQLite gets all of them in one message.
  await Promise.all(ranges.map(async (range) => transaction.run(ofRange, { ...values, companyId, ...range })))
}
