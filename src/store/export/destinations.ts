// Destinations: the receivers of export lines, and the credentials that fetch for them.
import { updateWhere } from '../row-statements.ts'
import { command, companyCommand, idSetQuery, rowsQuery, rowQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import type { Awaitable, Reader, Transaction } from '../store.ts'
import { revisionUnknown } from '../material/materials.ts'
import { tables } from '../tables.ts'
import { columnNames } from '../tables/define-table.ts'
import type { DestinationTable } from '../tables/exports.ts'

export type Destination = Omit<DestinationTable, 'companyId'>

/** All destinations of the company; most have one. */
export function listDestinations(transaction: Transaction): Awaitable<Destination[]> {
  return listCompanyDestinations(transaction, { companyId: transaction.companyId })
}

/** The same outside of a transaction of the company. */
export const listCompanyDestinations = rowsQuery<{ companyId: number }, Destination>(
  ({ value }) => sql`select ${columns} from destination where "companyId" = ${value('companyId')} order by id`,
)

/** The destination that a credential fetches for. */
export async function getCredentialDestination(reader: Reader, key: CredentialKey): Promise<Destination> {
  const found = await findCredentialDestination(reader, key)
  if (found === undefined) throw new Error(`credential ${key.credentialId} has no destination`)
  return found
}

/** Inserts a destination with the next id, which receives what is approved from now on. `now` in microseconds. */
export const insertDestination = command<{ companyId: number; name: string; now: number }>(
  ({ value }) => sql`
    insert into destination ("companyId", id, name, corrections, "isExclusive", "openClaimsMax", "failuresMax",
      "retrievedThrough", "fencingToken", "createdAt")
    select cast(${value('companyId')} as bigint), coalesce(max(id), 0) + 1, ${value('name')}, 'block', 0, 1, 5, 0, 0,
      cast(${value('now')} as bigint)
    from destination where "companyId" = ${value('companyId')}`,
)

/** Makes the credential fetch for this destination. */
export const assignCredential = command(updateWhere('credential', ['companyId', 'id'], ['destinationId']))

export const updateDestination = command(
  updateWhere(
    'destination',
    ['companyId', 'id'],
    ['corrections', 'lockDate', 'isExclusive', 'openClaimsMax', 'failuresMax'],
  ),
)

/** Records a full retrieval: everything that was ready at this timestamp has been retrieved. */
export const recordFullRetrieval = companyCommand(updateWhere('destination', ['companyId', 'id'], ['retrievedThrough']))

const columns = sql.join(columnNames(tables.destination).map((name) => sql.ref(`destination.${name}`)))

type CredentialKey = Readonly<{ companyId: number; credentialId: string }>

const findCredentialDestination = rowQuery<CredentialKey, Destination>(
  ({ value }) => sql`
    select ${columns} from credential
    join destination on destination."companyId" = credential."companyId" and destination.id = credential."destinationId"
    where credential."companyId" = ${value('companyId')} and credential.id = ${value('credentialId')}`,
)

/**
 * Those of the transactions that were exported to a destination that does not accept corrections, whose content is not known, or
 * whose line was closed at any: a closed line was handled elsewhere, so that no correction of it is offered.
 */
export const filterUncorrectable = idSetQuery<NoValues>(
  (build, ids) => sql`
    select r.id from ${ids}
    cross join destination
    cross join "destinationLine"
    where destination."companyId" = ${build.value('companyId')}
      and "destinationLine"."companyId" = ${build.value('companyId')} and "destinationLine"."destinationId" = destination.id
      and "destinationLine"."lineId" = r.id
      and ("destinationLine".state = 'closed' or ("destinationLine".state = 'exported'
        and (destination.corrections = 'block' or "destinationLine".revision = ${sql.lit(revisionUnknown)})))`,
)
