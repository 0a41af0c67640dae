// Ledger entries that the export journal has to contain.
import { rowsQuery, rowQuery, type NoValues } from '../queries.ts'
import { selectWhere } from '../row-statements.ts'
import { sql } from 'kysely'
import type { JournalActionKind } from '../../journal/record.ts'
import type { LedgerEntryTable } from '../tables/exports.ts'
import type { SequenceTable } from '../tables/revenue.ts'

/** An entry that changes whether a line is ready, with the key that its source would send it again with. */
export interface JournaledEntry extends Pick<
  LedgerEntryTable,
  'at' | 'destinationId' | 'requestId' | 'lineId' | 'revision' | 'generation'
> {
  readonly ledger: number
  readonly action: keyof typeof journalKinds
  readonly source: string | null
  readonly externalId: string | null
}

/** Ledger actions and their journal kinds; the other actions do not change whether a line is ready. */
export const journalKinds = { acknowledged: 'acknowledge', closed: 'close', undone: 'undo' } as const satisfies Partial<
  Record<LedgerEntryTable['action'], JournalActionKind>
>

/** The next entries after an id, ascending; fewer than `entriesMax` where there are no more. */
export const listJournaledEntries = rowsQuery<{ companyId: number; after: number }, JournaledEntry>(
  ({ value }) => sql`
    select entry.id as ledger, entry.action, entry.at, entry."destinationId", entry."requestId", entry."lineId",
      entry.revision, entry.generation, line.source, line."externalId"
    from "ledgerEntry" as entry
    left join "exportLine" as line on line."companyId" = entry."companyId" and line.id = entry."lineId"
      and line.revision = entry.revision
    where entry."companyId" = ${value('companyId')} and entry.id > ${value('after')}
      and entry.action in (${sql.join(Object.keys(journalKinds).map((action) => sql.lit(action)))})
    order by entry.id limit ${sql.lit(entriesMax)}`,
)

/** On SQLite other requests wait while they are read: some milliseconds. */
export const entriesMax = 1000

export type LedgerPosition = Pick<SequenceTable, 'companyId' | 'ledgerId' | 'materialId'>

/** The last assigned ledger and line ids of every company. */
export const listLedgerPositions = rowsQuery<NoValues, LedgerPosition>(
  () => sql`select "companyId", "ledgerId", "materialId" from sequence`,
  'everyCompany',
)

export const getLedgerPosition = rowQuery(
  selectWhere('sequence', ['companyId'], { columns: ['companyId', 'ledgerId', 'materialId'] }),
)
