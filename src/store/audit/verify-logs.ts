// Log verification: the hash chain of the audit log, the ids of the append-only logs, and the amounts of revenue.
import { sql } from 'kysely'
import { auditHash } from './audit.ts'
import { replayActor } from '../material/ledger.ts'
import { joinEach, statement, type Build } from '../statement.ts'
import type { Reader } from '../store.ts'
import type { AuditTable } from '../tables/operations.ts'

/** What was found in one log of a company. */
export interface LogVerification {
  readonly log: 'audit' | NumberedLog
  readonly entries: number
  /** The first one; null for none. */
  readonly problem: LogProblem | null
}

/** All kinds name an entry, except `amount`: a revenue record that differs from its last entry. */
export interface LogProblem {
  readonly kind: 'missing' | 'changed' | 'added' | 'unlinked' | 'amount'
  readonly id: number
}

/** The hashes of audit entries by id, which were kept outside the database: more than one of an id is a forgery. */
export type AuditAnchors = ReadonlyMap<number, ReadonlySet<string>>

/**
 * Verifies every log of a company. A consistent forgery of the whole audit log, or of its end together with the sequence
 * of its ids, is found only by anchors. `onProgress` is called with the number of audit entries read, and their total.
 */
export async function verifyLogs(
  reader: Reader,
  companyId: number,
  anchors: AuditAnchors,
  onProgress: (entries: number, of: number) => void,
): Promise<readonly LogVerification[]> {
  return [
    await verifyAuditLog(reader, companyId, anchors, onProgress),
    await verifyNumberedLog(reader, companyId, 'ledgerEntry'),
    await verifyRevenueLog(reader, companyId),
  ]
}

async function verifyAuditLog(
  reader: Reader,
  companyId: number,
  anchors: AuditAnchors,
  onProgress: (entries: number, of: number) => void,
): Promise<LogVerification> {
  // Before the entries, because a server may add some meanwhile.
  const lastId = (await reader.first(lastIdStatement, { companyId }))?.auditId ?? 0
  let last = { id: 0, hash: '' }
  for (let isLastPage = false; !isLastPage;) {
    const page = await reader.all(pageStatement, { companyId, after: last.id })
    for (const entry of page) {
      const problem = problemOf(entry, last, anchors)
      if (problem !== null) return { log: 'audit', entries: last.id, problem }
      last = entry
    }
    onProgress(last.id, Math.max(last.id, lastId))
    isLastPage = page.length < pageRows
  }
  const isCut = last.id < Math.max(lastId, ...anchors.keys())
  const problem = isCut ? ({ kind: 'missing', id: last.id + 1 } as const) : null
  return { log: 'audit', entries: last.id, problem }
}

function problemOf(
  entry: AuditTable,
  previous: Pick<AuditTable, 'id' | 'hash'>,
  anchors: AuditAnchors,
): LogProblem | null {
  const id = previous.id + 1
  if (entry.id !== id) return { kind: 'missing', id }
  const isIntact =
    entry.previousHash === previous.hash &&
    entry.hash === auditHash(entry) &&
    [...(anchors.get(id) ?? [])].every((hash) => hash === entry.hash)
  return isIntact ? null : { kind: 'changed', id }
}

/** A log without hashes. Its ids have gaps only where entries of the export journal were replayed after a restore. */
type NumberedLog = keyof typeof numberedLogs

async function verifyNumberedLog(reader: Reader, companyId: number, log: NumberedLog): Promise<LogVerification> {
  const { count, gap } = numberedLogs[log]
  const { entries = 0, highest = 0, assigned = 0 } = (await reader.first(count, { companyId })) ?? {}
  if (highest > assigned) return { log, entries, problem: { kind: 'added', id: highest } }
  // Nearly always: the search for a gap looks up every entry.
  if (entries === assigned) return { log, entries, problem: null }
  const id = (await reader.first(gap, { companyId }))?.id
  return { log, entries, problem: id === undefined ? null : { kind: 'missing', id } }
}

async function verifyRevenueLog(reader: Reader, companyId: number): Promise<LogVerification> {
  const found = await verifyNumberedLog(reader, companyId, 'revenueLog')
  if (found.problem !== null) return found
  const entry = await reader.first(unlinkedStatement, { companyId })
  if (entry !== undefined) return { ...found, problem: { kind: 'unlinked', id: entry.id } }
  const record = await reader.first(otherAmountStatement, { companyId })
  return record === undefined ? found : { ...found, problem: { kind: 'amount', id: record.id } }
}

const pageRows = 5_000

const pageStatement = statement<AuditTable>(
  ({ value }) => sql`
    select * from audit where "companyId" = ${value('companyId')} and id > ${value('after')}
    order by id limit ${sql.lit(pageRows)}`,
)

const lastIdStatement = statement<{ auditId: number }>(
  ({ value }) => sql`select "auditId" from sequence where "companyId" = ${value('companyId')}`,
)

/**
 * `count` finds the number of entries, the highest id, and the last id that was assigned; `gap` finds the first id that was
 * assigned and is missing.
 */
function numberedLogStatements(table: 'ledgerEntry' | 'revenueLog', sequence: 'ledgerId' | 'revenueLogId') {
  const log = sql.table(table)
  const company = ({ value }: Build) => sql`"companyId" = ${value('companyId')}`
  const assigned = (build: Build) =>
    sql`coalesce((select ${sql.id(sequence)} from sequence where ${company(build)}), 0)`
  return {
    count: statement<{ entries: number; highest: number; assigned: number }>(
      (build) => sql`
        select count(*) as entries, coalesce(max(id), 0) as highest, ${assigned(build)} as assigned
        from ${log} where ${company(build)}`,
    ),
    gap: statement<{ id: number }>(
      (build) => sql`
        select first.id
        from (select 1 as id union all select id + 1 from ${log} where ${company(build)}) as first
        where first.id <= ${assigned(build)}
          and not exists (select 1 from ${log} as log where ${company(build)} and log.id = first.id)
          and coalesce((
            select log.actor from ${log} as log where ${company(build)} and log.id > first.id order by log.id limit 1
          ), '') <> ${sql.lit(replayActor)}
        order by first.id limit 1`,
    ),
  }
}

const numberedLogs = {
  ledgerEntry: numberedLogStatements('ledgerEntry', 'ledgerId'),
  revenueLog: numberedLogStatements('revenueLog', 'revenueLogId'),
}

/** The first record whose amount is not what its last entry says; a record without entries has none to compare. */
const otherAmountStatement = statement<{ id: number }>((build) => {
  const isLast = sql`log."companyId" = revenue."companyId" and log.id = revenue."logId"`
  return sql`
    select revenue.id from revenue ${joinEach(build, 'revenueLog', isLast, 'log')}
    where revenue."companyId" = ${build.value('companyId')} and revenue.amount is distinct from log."after"
    order by revenue.id limit 1`
})

/** The first entry that is named neither by the next one of its record, nor by the record, nor as that of a departure. */
const unlinkedStatement = statement<{ id: number }>(({ value }) => {
  const ofCompany = sql`"companyId" = ${value('companyId')}`
  return sql`
    select log.id
    from (
      select id, "revenueId", date, "departmentId", kind,
        lead("previousId") over (partition by "revenueId" order by id) as "nextPreviousId"
      from "revenueLog" where ${ofCompany}
    ) as log
    where log."nextPreviousId" is distinct from log.id
      and not exists (
        select 1 from revenue as record
        where ${ofCompany} and record.id = log."revenueId" and record."logId" = log.id)
      and not exists (
        select 1 from "revenueDeparture" as departure
        where ${ofCompany} and departure.date = log.date and departure."departmentId" = log."departmentId"
          and departure.kind = log.kind and departure."logId" = log.id)
    order by log.id limit 1`
})
