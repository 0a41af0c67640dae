// The receivers of a company's lines.
import { statement } from '#store/statement.ts'
import type { Awaitable, Transaction } from '#store/store.ts'
import type { DestinationTable } from '#store/tables.ts'

export type Destination = Omit<DestinationTable, 'companyId'>

/** Few: every company has one, and some have another. */
export const destinationsOf = (transaction: Transaction): Awaitable<Destination[]> =>
  transaction.all(allStatement, { companyId: transaction.companyId })

const columns = [
  'destination.id',
  'destination.name',
  'destination.corrections',
  'destination.isExclusive',
  'destination.lockDate',
  'destination.exportedFields',
  'destination.batchesMax',
  'destination.failuresMax',
  'destination.servedAt',
  'destination.fence',
  'destination.createdAt',
] as const

const allStatement = statement<Destination>(({ db, value }) =>
  db
    .selectFrom('destination')
    .select(columns)
    .where('companyId', '=', value('companyId'))
    .orderBy('id'),
)
