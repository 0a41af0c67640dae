// Sequences of a company in the database: locks, reads and saves them inside its transaction.
import { sql } from 'kysely'
import { updateWhere } from './row-statements.ts'
import { Sequences } from './sequences.ts'
import { statement } from './statement.ts'
import type { Writer } from './store.ts'
import { tables } from './tables.ts'
import { columnNames } from './tables/define-table.ts'
import type { SequenceTable } from './tables/revenue.ts'

/** Reads and locks the sequences of a company: every other writer of the company waits until the commit. */
export async function lockSequences(writer: Writer, companyId: number): Promise<Sequences> {
  const row = await writer.first(lockStatement, { companyId })
  if (row === undefined) throw new Error(`company ${companyId} has no sequences`)
  return new Sequences(row)
}

export function saveSequences(writer: Writer, sequences: Sequences) {
  return writer.run(saveStatement, { ...sequences.snapshot() })
}

/** SQLite needs no row lock: its transactions begin IMMEDIATE. */
const lockStatement = statement<SequenceTable>(
  ({ dialect, value }) => sql`
    select * from sequence where "companyId" = ${value('companyId')} ${dialect === 'postgres' ? sql`for update` : sql``}`,
)

const saveStatement = statement(updateWhere('sequence', ['companyId'], columnNames(tables.sequence)))
