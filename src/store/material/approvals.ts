// Approvals: decisions on many transactions and their effect on lines, one statement per list.
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { plusDays } from '../../lib/calendar.ts'
import { utcDate } from '../../lib/timestamp.ts'
import { defineUpdate, updateRows } from '../bulk-update.ts'
import { lineOfListedId } from '../export/destination-line-sql.ts'
import { withdrawReadyLines } from '../export/line-actions.ts'
import { transactionStates } from '../../model/transaction.ts'
import { contentColumns } from '../tables/field-columns.ts'
import type { Destination } from '../export/destinations.ts'
import { idsCommand, idsQuery, listCommand, type NoValues } from '../queries.ts'
import { saveLineChanges } from './line-changes.ts'
import { findMaterials, joinListedMaterial } from './materials.ts'
import { joinEach, rowsFromJson, statement, toIdRows, type RowColumns } from '../statement.ts'
import type { Reader, Transaction } from '../store.ts'
import type { MaterialTable } from '../tables/materials.ts'
import { WaitingDayChanges, type CountedLine } from './waiting-days.ts'

/** What a decision depends on, and what changes with it. `decidedAt` and `decidedBy` tell when and by whom the state was set. */
export type DecisionCandidate = Pick<MaterialTable, 'id' | 'revision' | 'state' | 'decidedAt' | 'decidedBy'> &
  CountedLine

/** A transaction to decide on, and the timestamp. */
export type DecidedTransaction = Readonly<{ id: number; at: number }>

export interface StateChange extends Pick<MaterialTable, 'state' | 'rejectionReason'> {
  readonly actor: string
  readonly isApproval: boolean
}

/** Any decision on transactions in any state. */
export async function saveDecision(
  transaction: Transaction,
  decided: readonly DecidedTransaction[],
  decision: StateChange,
): Promise<void> {
  const ids = decided.map(({ id }) => id)
  const stored = await findMaterials(transaction, ids)
  const changes = Array.from(stored.values(), (before) => ({ before, after: { ...before, state: decision.state } }))
  await saveLineChanges(transaction, changes, () => updateDecided(transaction, decided, decision))
}

/** The approval of transactions that wait: they are compared with others as before, so that counting them is enough. */
export async function saveApproval(
  transaction: Transaction,
  decided: readonly DecidedTransaction[],
  decision: StateChange,
  waiting: readonly CountedLine[],
): Promise<void> {
  const days = new WaitingDayChanges()
  for (const line of waiting) days.count(line, -1)
  await updateDecided(transaction, decided, decision)
  await days.save(transaction)
}

/** Sets the state of transactions, and clears their anomaly flags. */
async function updateDecided(
  transaction: Transaction,
  decided: readonly DecidedTransaction[],
  { state, rejectionReason, actor, isApproval }: StateChange,
): Promise<void> {
  await updateRows(transaction, decisionUpdate, decided, {
    state,
    rejectionReason,
    actor,
    approver: isApproval ? actor : null,
    isApproval: Number(isApproval),
  })
}

/** Makes the lines of approved transactions ready at destinations, where they are new or withdrawn; `at` is when. */
export async function offerLines(
  transaction: Transaction,
  approved: readonly DecidedTransaction[],
  destinations: readonly Pick<Destination, 'id' | 'lockDate'>[],
): Promise<void> {
  await insertExportLines(transaction, approved)
  for (const { id: destinationId, lockDate } of destinations) {
    const firstOpenDay = lockDate === null ? '' : plusDays(lockDate, 1)
    await insertDestinationLines(transaction, approved, { destinationId, firstOpenDay })
  }
}

/** Withdraws the lines of these transactions that are ready, and records which of them a full retrieval contained. */
export async function withdrawLines(
  transaction: Transaction,
  ids: readonly number[],
  destinations: readonly Destination[],
): Promise<void> {
  for (const { id: destinationId, retrievedThrough } of destinations) {
    const retrievedOn = utcDate(retrievedThrough)
    await recordRetrieved(transaction, ids, { destinationId, retrievedThrough, retrievedOn })
    await withdrawReadyLines(transaction, ids, { destinationId })
  }
}

const decidedColumns = { id: 'integer', at: 'integer' } as const satisfies RowColumns

/** The state of an exported transaction was set by its acknowledgement, any other state by the last decision. */
export const listDecisionCandidates = idsQuery<NoValues, DecisionCandidate>((build, ids) => {
  const isExported = sql`material.state = ${sql.lit(transactionStates.exported)}`
  return sql`
    select material.id, material.revision, material.state, material.date, material."departmentId",
      material."projectId", material.amount, material."anomalyFlags",
      case when ${isExported} then material."exportedAt" else material."decidedAt" end as "decidedAt",
      case when ${isExported} then (select min("destinationLine"."acknowledgedBy") from destination cross join "destinationLine"
          where destination."companyId" = material."companyId" and "destinationLine"."companyId" = material."companyId"
            and "destinationLine"."destinationId" = destination.id and "destinationLine"."lineId" = material.id
            and "destinationLine"."acknowledgedAt" = material."exportedAt")
        else material."decidedBy" end as "decidedBy"
    from ${ids} ${joinListedMaterial(build)}`
})

/**
 * Those of these ids that this actor registered, or was the last to change: under four-eyes approval somebody else approves
 * them. The revision before the current one says who replaced it.
 */
export async function findOwn(
  reader: Reader,
  companyId: CompanyId,
  ids: readonly number[],
  actor: string,
): Promise<ReadonlySet<number>> {
  const own = await reader.all(ownStatement, { companyId, ids: toIdRows(ids), actor })
  return new Set(own.map(({ id }) => id))
}

const ownStatement = statement<{ id: number }>(
  (build) => sql`
    select material.id from ${rowsFromJson(build, 'ids', { id: 'integer' })} ${joinListedMaterial(build)}
    where material."registeredBy" = ${build.value('actor')} or exists (select 1 from "materialRevision" as revision
      where revision."companyId" = ${build.value('companyId')} and revision."materialId" = material.id
        and revision.revision = material.revision - 1 and revision."replacedBy" = ${build.value('actor')})`,
)

const decisionUpdate = defineUpdate({
  table: 'material',
  key: ['id', 'id'],
  columns: decidedColumns,
  rising: ['id', 'at'],
  set: ({ value }, listed) => {
    const isApproval = sql`cast(${value('isApproval')} as bigint)`
    return sql`state = ${value('state')}, "rejectionReason" = ${value('rejectionReason')},
      "approvedAt" = case when ${isApproval} = 1 then ${listed('at')} end, "approvedBy" = ${value('approver')},
      "decidedAt" = ${listed('at')}, "decidedBy" = ${value('actor')}, "changedAt" = ${listed('at')}, "anomalyFlags" = 0`
  },
})

const contentNames = Object.keys(contentColumns)

/** Inserts a line with the content and id of each transaction; an existing line of the same revision stays as it is. */
const insertExportLines = listCommand<DecidedTransaction, NoValues>(
  decidedColumns,
  (build, decided) => sql`
    insert into "exportLine" ("companyId", id, revision, "materialId", "lineKind", "exportKey",
      ${sql.join(contentNames.map((name) => sql.id(name)))}, "createdAt")
    select material."companyId", material.id, material.revision, material.id, 'Original',
      'T' || material.id || '.r' || material.revision,
      ${sql.join(contentNames.map((name) => sql.ref(`material.${name}`)))}, material."createdAt"
    from ${decided} ${joinListedMaterial(build)} where true
    on conflict ("companyId", id, revision) do nothing`,
)

/** `firstOpenDay` is the first posting date that the destination accepts. A line that a worker has claimed stays claimed. */
const insertDestinationLines = listCommand<DecidedTransaction, { destinationId: number; firstOpenDay: string }>(
  decidedColumns,
  (build, decided) => {
    const { value } = build
    const openDay = sql`cast(${value('firstOpenDay')} as text)`
    return sql`
    insert into "destinationLine" ("companyId", "destinationId", "lineId", "materialId", revision, generation, state, "readyAt",
      "postingDate", "approvedAt", "approvedBy", failures)
    select material."companyId", cast(${value('destinationId')} as bigint), material.id, material.id, material.revision, 1,
      'ready', r.at, case when material.date < ${openDay} then ${openDay} else material.date end,
      material."approvedAt", material."approvedBy", 0
    from ${decided} ${joinListedMaterial(build)} where true
    on conflict ("companyId", "destinationId", "lineId") do update set revision = excluded.revision,
      state = excluded.state, "readyAt" = excluded."readyAt", "postingDate" = excluded."postingDate",
      "approvedAt" = excluded."approvedAt", "approvedBy" = excluded."approvedBy", failures = 0, "parkedAt" = null
    where "destinationLine".state = 'withdrawn'`
  },
)

const recordRetrieved = idsCommand<{ destinationId: number; retrievedThrough: number; retrievedOn: string }>(
  (build, ids) => {
    const itsLine = sql`${lineOfListedId(build)} and "destinationLine".state = 'ready'
    and "destinationLine"."readyAt" <= ${build.value('retrievedThrough')}`
    return sql`
    insert into "retrievedLine" ("companyId", "destinationId", "lineId", revision, "firstRetrievalId", "lastRetrievedOn")
    select "destinationLine"."companyId", "destinationLine"."destinationId", "destinationLine"."lineId", "destinationLine".revision,
      (select min(retrieval.id) from retrieval where retrieval."companyId" = "destinationLine"."companyId"
        and retrieval."destinationId" = "destinationLine"."destinationId" and retrieval.query is null
        and retrieval.at >= "destinationLine"."readyAt"), ${build.value('retrievedOn')}
    from ${ids} ${joinEach(build, 'destinationLine', itsLine)} where true
    on conflict ("companyId", "destinationId", "lineId", revision) do update
      set "lastRetrievedOn" = excluded."lastRetrievedOn"`
  },
)
