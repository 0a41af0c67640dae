// Ledger of lines: append-only entries of what happened to lines at destinations.
import { defineInsert, insertRows } from '../bulk-insert.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { LedgerEntryTable } from '../tables/exports.ts'

/** The actor of entries that are replayed from the export journal. Their ids continue above those of the journal. */
export const replayActor = 'journal'

/** Members that are left out are null. */
export type NewLedgerEntry = Omit<LedgerEntryTable, 'companyId' | 'id' | keyof typeof noReport> &
  Partial<Pick<LedgerEntryTable, keyof typeof noReport>>

const noReport = {
  externalId: null,
  externalUrl: null,
  externalBatchId: null,
  claimId: null,
  code: null,
  reason: null,
}

/** Inserts entries in their order. */
export async function insertLedgerEntries(
  transaction: Transaction,
  entries: readonly NewLedgerEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const first = transaction.sequences.next('ledgerId', entries.length)
  const rows = entries.map((entry, index) => ({ ...noReport, ...entry, id: first + index }))
  await insertRows(transaction, ledgerInsert, rows)
}

const ledgerInsert = defineInsert(tables.ledgerEntry)
