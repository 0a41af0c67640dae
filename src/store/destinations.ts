// The receivers of a company's lines, and which of them a credential fetches for.
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Transaction } from '#store/store.ts'
import type { DestinationTable } from '#store/tables.ts'

export type Destination = Omit<DestinationTable, 'companyId'>

/** Few: every company has one, and some have another. */
export const destinationsOf = (transaction: Transaction): Awaitable<Destination[]> =>
  transaction.all(allStatement, { companyId: transaction.companyId })

/** The one that a credential belongs to. */
export const destinationOf = async (
  reader: Reader,
  companyId: number,
  credentialId: string,
): Promise<Destination> => {
  const found = await reader.first(ofCredentialStatement, { companyId, credentialId })
  if (found === undefined) throw new Error(`credential ${credentialId} has no destination`)
  return found
}

/** Everything that was ready at the stamp has been served to it. */
export const noteServed = (
  transaction: Transaction,
  { id }: Destination,
  servedAt: number,
): Awaitable<void> =>
  transaction.run(noteServedStatement, { companyId: transaction.companyId, id, servedAt })

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

const ofCredentialStatement = statement<Destination>(({ db, value }) =>
  db
    .selectFrom('credential')
    .innerJoin('destination', (join) =>
      join
        .onRef('destination.companyId', '=', 'credential.companyId')
        .onRef('destination.id', '=', 'credential.destinationId'),
    )
    .select(columns)
    .where('credential.companyId', '=', value('companyId'))
    .where('credential.id', '=', value('credentialId')),
)

const noteServedStatement = statement(({ db, value, values }) =>
  db
    .updateTable('destination')
    .set(values('servedAt'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)
