// Acknowledgements: the status of lines at a destination, and its changes, one statement per list.
import { sql } from 'kysely'
import { defineUpdate, updateRows } from '../bulk-update.ts'
import { lineOfListedId, updateDestinationLines } from './destination-line-sql.ts'
import { transactionStates } from '../../model/transaction.ts'
import { rangeRowsMin } from '../row-ranges.ts'
import { idsCommand, idsQuery } from '../queries.ts'
import { leftJoinEach, statement } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { DestinationTable, DestinationLineTable } from '../tables/exports.ts'

const statusColumns = [
  'state',
  'materialId',
  'revision',
  'generation',
  'readyAt',
  'acknowledgedAt',
  'acknowledgedBy',
  'externalId',
  'claimId',
] as const

type StoredStatus = Pick<DestinationLineTable, (typeof statusColumns)[number]>

/** The status of a line at a destination; all but `id` and `isKnown` null for an id that was never a line there. */
export type LineStatus = { readonly [Name in keyof StoredStatus]: StoredStatus[Name] | null } & {
  readonly id: number
  /** Whether a transaction or a line with this id exists. */
  readonly isKnown: number
  /**
   * The latest revision that a partial retrieval contained, or that was withdrawn after a retrieval. Null for a line that
   * was ready at the last full retrieval.
   */
  readonly retrievedRevision: number | null
}

/** Whether the destination has the line, or a person has closed it. */
export function isFinished({ state }: Pick<LineStatus, 'state'>): boolean {
  return state === 'exported' || state === 'closed'
}

export async function getLineStatuses(
  transaction: Transaction,
  { id: destinationId, retrievedThrough }: RetrievedDestination,
  ids: readonly number[],
): Promise<Map<number, LineStatus>> {
  const rows = await listStatuses(transaction, ids, { destinationId, retrievedThrough })
  return new Map(rows.map((row) => [row.id, row]))
}

type RetrievedDestination = Pick<DestinationTable, 'id' | 'retrievedThrough'>

/**
 * The status of the first line of a range, if all of them were ready at the last full retrieval and differ in nothing but
 * their ids. Only on SQLite.
 */
export async function getRangeStatus(
  transaction: Transaction,
  { id: destinationId, retrievedThrough }: RetrievedDestination,
  { id, length }: { readonly id: number; readonly length: number },
): Promise<LineStatus | undefined> {
  const { companyId, dialect } = transaction
  if (dialect !== 'sqlite' || length < rangeRowsMin) return undefined
  return transaction.first(rangeStatusStatement, { companyId, destinationId, retrievedThrough, id, length })
}

/** A line that becomes exported: its revision, and the timestamp. */
export type AcknowledgedLine = Readonly<{
  id: number
  /** The transaction that becomes exported with it, if any. */
  materialId: number | null
  revision: number
  at: number
  externalId: string | null
  /** Set for a range, of which it is the first line. */
  length?: number
}>

/** Sets lines to exported, and their approved transactions too. */
export async function acknowledgeLines(
  transaction: Transaction,
  destinationId: number,
  lines: readonly AcknowledgedLine[],
  actor: string,
): Promise<void> {
  await updateRows(transaction, acknowledgeUpdate, lines, { destinationId, actor })
  await updateRows(transaction, exportUpdate, lines, {})
}

/** Closes ready lines that were handled outside of the export; their approved transactions become exported. */
export async function closeLines(
  transaction: Transaction,
  destinationId: number,
  closed: readonly Omit<AcknowledgedLine, 'externalId'>[],
  actor: string,
): Promise<void> {
  const rows = closed.map((line) => ({ ...line, externalId: null }))
  await updateRows(transaction, closeUpdate, rows, { destinationId, actor })
  await updateRows(transaction, exportUpdate, rows, {})
}

const storedStatus = sql.join(statusColumns.map((name) => sql.ref(`destinationLine.${name}`)))

/** The status of the first line, if it is that of all `length` lines. Lines of corrections have a status each. */
const rangeStatusStatement = statement<LineStatus>(({ value }) => {
  const ofDestination = (line: string) => sql`${sql.ref(`${line}.companyId`)} = ${value('companyId')}
    and ${sql.ref(`${line}.destinationId`)} = ${value('destinationId')}`
  return sql`
    select "destinationLine"."lineId" as id, ${storedStatus}, 1 as "isKnown", null as "retrievedRevision"
    from "destinationLine"
    where ${ofDestination('destinationLine')} and "destinationLine"."lineId" = ${value('id')}
      and ${value('length')} = (select count(*) from "destinationLine" as line
        where ${ofDestination('line')} and line."lineId" >= ${value('id')} and line."lineId" < ${value('id')} + ${value('length')}
          and (line.state = 'ready' and line."materialId" = line."lineId" and line."readyAt" <= ${value('retrievedThrough')}
            and line.revision = "destinationLine".revision and line.generation = "destinationLine".generation
            and line."claimId" is "destinationLine"."claimId") is true)`
})

const listStatuses = idsQuery<{ destinationId: number; retrievedThrough: number }, LineStatus>((build, ids) => {
  const { value } = build
  return sql`
    select r.id, ${storedStatus},
      case when "destinationLine".state is not null then 1
        when exists (select 1 from material where material."companyId" = ${value('companyId')}
          and material.id = r.id) then 1 else 0 end as "isKnown",
      case when "destinationLine".state = 'ready' and "destinationLine"."readyAt" <= ${value('retrievedThrough')} then null
        else (select max(retrieved.revision) from "retrievedLine" as retrieved where retrieved."companyId" = ${value('companyId')}
          and retrieved."destinationId" = ${value('destinationId')} and retrieved."lineId" = r.id) end as "retrievedRevision"
    from ${ids}
    ${leftJoinEach(build, 'destinationLine', lineOfListedId(build))}`
})

const listedLines = {
  columns: { id: 'integer', materialId: 'integer', revision: 'integer', at: 'integer', externalId: 'text' },
  rising: ['id', 'materialId', 'at'],
} as const satisfies Pick<Parameters<typeof defineUpdate>[0], 'columns' | 'rising'>

const lineUpdate = {
  ...listedLines,
  table: 'destinationLine',
  within: ['destinationId'],
  key: ['lineId', 'id'],
} as const

const acknowledgeUpdate = defineUpdate({
  ...lineUpdate,
  set: ({ value }, listed) => sql`state = 'exported', revision = ${listed('revision')},
    "acknowledgedAt" = ${listed('at')}, "acknowledgedBy" = ${value('actor')}, "externalId" = ${listed('externalId')}`,
  where: () => sql`"destinationLine".state in ('ready', 'withdrawn')`,
})

const closeUpdate = defineUpdate({
  ...lineUpdate,
  set: ({ value }, listed) =>
    sql`state = 'closed', "acknowledgedAt" = ${listed('at')}, "acknowledgedBy" = ${value('actor')}`,
  where: () => sql`"destinationLine".state = 'ready'`,
})

const exportUpdate = defineUpdate({
  ...listedLines,
  table: 'material',
  key: ['id', 'materialId'],
  set: (_, listed) => sql`state = ${sql.lit(transactionStates.exported)},
    "exportedAt" = ${listed('at')}, "changedAt" = ${listed('at')}`,
  where: () => sql`material.state = ${sql.lit(transactionStates.approved)}`,
})

/** Counts a reported failure. The line stays ready, and is parked after too many failures. `at` in microseconds. */
export const recordFailures = idsCommand<{ destinationId: number; failuresMax: number; at: number }>((build) => {
  const { value } = build
  const at = sql`cast(${value('at')} as bigint)`
  return updateDestinationLines(build, {
    set: sql`failures = failures + 1,
      "parkedAt" = case when failures + 1 >= ${value('failuresMax')} then coalesce("parkedAt", ${at}) else "parkedAt" end`,
    states: ['ready'],
  })
})
