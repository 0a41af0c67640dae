// What the ledger has that the export journal has to have too.
import { sql } from 'kysely'
import type { ActKind } from '../../journal/record.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { LedgerEntryTable } from '../tables/exports.ts'
import type { CounterTable } from '../tables/revenue.ts'

/** An entry that decides whether a line is offered, with the key that its source would send it under again. */
export interface DecidingEntry extends Pick<
  LedgerEntryTable,
  'at' | 'destinationId' | 'requestId' | 'lineId' | 'revision' | 'generation'
> {
  readonly ledger: number
  readonly act: keyof typeof journalled
  readonly source: string | null
  readonly externalId: string | null
}

/** Acts of the ledger, and what the journal calls them; the others change nothing of what is offered. */
export const journalled = {
  marked: 'mark',
  closed: 'close',
  undone: 'undo',
} as const satisfies Partial<Record<LedgerEntryTable['act'], ActKind>>

/** The next entries behind a number, in their order; fewer than `most` where there are no more. */
export function decidingSince(
  reader: Reader,
  companyId: number,
  after: number,
): Awaitable<DecidingEntry[]> {
  return reader.all(sinceStatement, { companyId, after })
}

export const entriesMost = 10_000

export type Numbers = Pick<CounterTable, 'companyId' | 'ledgerId' | 'materialId'>

/** How far the numbers of every company have come. */
export function numbersOfAll(reader: Reader): Awaitable<Numbers[]> {
  return reader.all(allStatement, {})
}

export function numbersOf(reader: Reader, companyId: number): Awaitable<Numbers | undefined> {
  return reader.first(oneStatement, { companyId })
}

const sinceStatement = statement<DecidingEntry>(
  ({ value }) => sql`
    select entry.id as ledger, entry.act, entry.at, entry."destinationId", entry."requestId", entry."lineId",
      entry.revision, entry.generation, line.source, line."externalId"
    from "ledgerEntry" as entry
    left join "exportLine" as line on line."companyId" = entry."companyId" and line.id = entry."lineId"
      and line.revision = entry.revision
    where entry."companyId" = ${value('companyId')} and entry.id > ${value('after')}
      and entry.act in (${sql.join(Object.keys(journalled).map((act) => sql.lit(act)))})
    order by entry.id limit ${sql.lit(entriesMost)}`,
)

const numbers = ['companyId', 'ledgerId', 'materialId'] as const

const allStatement = statement<Numbers>(({ db }) => db.selectFrom('counter').select(numbers))

const oneStatement = statement<Numbers>(({ db, value }) =>
  db.selectFrom('counter').select(numbers).where('companyId', '=', value('companyId')),
)
