// Ledger of lines: append-only entries of what happened to lines at destinations.
import { sql } from 'kysely'
import { defineInsert, insertRows } from '../bulk-insert.ts'
import { countRows, listRows, numberRows, toRowRanges } from '../row-ranges.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { LedgerEntryTable } from '../tables/exports.ts'

/** The actor of entries that are replayed from the export journal. Their ids continue above those of the journal. */
export const replayActor = 'journal'

/** Members that are left out are null. With `length` it stands for the entries of as many consecutive lines. */
export type NewLedgerEntry = Omit<LedgerEntryTable, 'companyId' | 'id' | keyof typeof noReport> &
  Partial<Pick<LedgerEntryTable, keyof typeof noReport>> & { readonly length?: number }

const noReport = { externalId: null, externalUrl: null, externalBatchId: null, claimId: null, code: null, reason: null }

/** Inserts entries in their order. */
export async function insertLedgerEntries(transaction: Transaction, entries: readonly NewLedgerEntry[]): Promise<void> {
  if (entries.length === 0) return
  const first = transaction.sequences.next('ledgerId', countRows(entries))
  const rows = numberRows(entries, first).map(([entry, id]) => ({ ...noReport, ...entry, id }))
  const { companyId, dialect } = transaction
  const ranges = dialect === 'sqlite' ? toRowRanges(rows, rising) : null
  if (ranges === null) return insertRows(transaction, ledgerInsert, listRows(rows, rising))
  await Promise.all(ranges.map(async (range) => transaction.run(insertRangeStatement, { companyId, ...range })))
}

const ledgerInsert = defineInsert(tables.ledgerEntry)

const rising = ['id', 'lineId', 'at']

/** Inserts the entries of consecutive lines, on SQLite. */
const insertRangeStatement = statement(({ value }) => {
  const names = ['companyId', ...ledgerInsert.columns]
  const values = names.map((name) => (rising.includes(name) ? sql`${value(name)} + step.number` : value(name)))
  return sql`insert into "ledgerEntry" (${sql.join(names.map((name) => sql.id(name)))})
    with recursive step(number) as (select 0 union all select number + 1 from step where number + 1 < ${value('length')})
    select ${sql.join(values)} from step`
})
