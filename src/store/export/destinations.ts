// Destinations: the receivers of export lines, and the credentials that fetch for them.
import { sql } from 'kysely'
import { rowsFromJson, statement, toIdRows } from '../statement.ts'
import type { Awaitable, Reader, Transaction, Writer } from '../store.ts'
import type { DestinationTable } from '../tables/exports.ts'

export type Destination = Omit<DestinationTable, 'companyId'>

/** All destinations of the company; most have one. */
export function listDestinations(transaction: Transaction): Awaitable<Destination[]> {
  return listCompanyDestinations(transaction, transaction.companyId)
}

/** The same outside of a transaction of the company. */
export function listCompanyDestinations(reader: Reader, companyId: number): Awaitable<Destination[]> {
  return reader.all(allStatement, { companyId })
}

/** The destination that a credential fetches for. */
export async function getCredentialDestination(
  reader: Reader,
  companyId: number,
  credentialId: string,
): Promise<Destination> {
  const found = await reader.first(ofCredentialStatement, { companyId, credentialId })
  if (found === undefined) throw new Error(`credential ${credentialId} has no destination`)
  return found
}

/** Which of these transactions were exported to a destination that does not accept corrections. */
export async function findUncorrectable(transaction: Transaction, ids: readonly number[]): Promise<Set<number>> {
  const rows = await transaction.all(uncorrectableStatement, { companyId: transaction.companyId, ids: toIdRows(ids) })
  return new Set(rows.map(({ id }) => id))
}

export type DestinationSettings = Pick<
  DestinationTable,
  'corrections' | 'lockDate' | 'isExclusive' | 'openClaimsMax' | 'failuresMax'
>

/** Inserts a destination, which receives what is approved from now on. `now` in microseconds. */
export function insertDestination(writer: Writer, companyId: number, name: string, now: number): Awaitable<void> {
  return writer.run(insertStatement, { companyId, name, now })
}

/** Makes the credential fetch for this destination. */
export function assignCredential(
  writer: Writer,
  companyId: number,
  credentialId: string,
  destinationId: number,
): Awaitable<void> {
  return writer.run(assignStatement, { companyId, credentialId, destinationId })
}

export function updateDestination(
  writer: Writer,
  companyId: number,
  id: number,
  settings: DestinationSettings,
): Awaitable<void> {
  return writer.run(updateStatement, { companyId, id, ...settings })
}

/** Records a full retrieval: everything that was ready at this timestamp has been retrieved. */
export function recordFullRetrieval(
  transaction: Transaction,
  { id }: Destination,
  retrievedThrough: number,
): Awaitable<void> {
  return transaction.run(recordFullRetrievalStatement, { companyId: transaction.companyId, id, retrievedThrough })
}

const columns = [
  'destination.id',
  'destination.name',
  'destination.corrections',
  'destination.isExclusive',
  'destination.lockDate',
  'destination.exportedFields',
  'destination.openClaimsMax',
  'destination.failuresMax',
  'destination.retrievedThrough',
  'destination.fencingToken',
  'destination.createdAt',
] as const

const allStatement = statement<Destination>(({ db, value }) =>
  db.selectFrom('destination').select(columns).where('companyId', '=', value('companyId')).orderBy('id'),
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

const recordFullRetrievalStatement = statement(({ db, value, values }) =>
  db
    .updateTable('destination')
    .set(values('retrievedThrough'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

const uncorrectableStatement = statement<{ id: number }>(
  (build) => sql`
    select r.id from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    cross join destination
    cross join "destinationLine"
    where destination."companyId" = ${build.value('companyId')} and destination.corrections = 'block'
      and "destinationLine"."companyId" = ${build.value('companyId')} and "destinationLine"."destinationId" = destination.id
      and "destinationLine"."lineId" = r.id and "destinationLine".state in ('exported', 'closed')`,
)

const updateStatement = statement(({ db, value, values }) =>
  db
    .updateTable('destination')
    .set(values('corrections', 'lockDate', 'isExclusive', 'openClaimsMax', 'failuresMax'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

const insertStatement = statement(
  ({ value }) => sql`
    insert into destination ("companyId", id, name, corrections, "isExclusive", "openClaimsMax", "failuresMax",
      "retrievedThrough", "fencingToken", "createdAt")
    select "companyId", max(id) + 1, ${value('name')}, 'block', 0, 1, 5, 0, 0, cast(${value('now')} as bigint)
    from destination where "companyId" = ${value('companyId')} group by "companyId"`,
)

const assignStatement = statement(({ db, value, values }) =>
  db
    .updateTable('credential')
    .set(values('destinationId'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('credentialId')),
)
