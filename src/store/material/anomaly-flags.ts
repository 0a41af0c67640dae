// Anomaly flags: what is unusual about a waiting line, and which other lines a write makes unusual (ADR 0049).
import { sql, type RawBuilder } from 'kysely'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { transactionStates } from '../../model/transaction.ts'
import { rowsFromJson, statement, updateEach, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import type { MaterialTable } from '../tables/materials.ts'
import { unusualSizeOf, type UsageChange } from './item-usage.ts'
import type { WaitingDayChanges } from './waiting-days.ts'
import { listCommand, listQuery, idsQuery, type NoValues } from '../queries.ts'

/** The bits of `anomalyFlags`. A date in the future depends on the day, and is added when lines are read. */
export const anomalyBits = {
  noProject: 1,
  noPrice: 2,
  duplicate: 4,
  unusual: 8,
  future: 16,
  unknownProject: 32,
  unknownDepartment: 64,
} as const

/** A stored line whose flags may change. */
export type FlaggedLine = Pick<MaterialTable, 'id' | 'state' | 'date' | 'departmentId' | 'projectId' | 'anomalyFlags'>

/** Lines that are equal in this may be one and the same. */
export type DuplicateKey = Pick<MaterialTable, 'date' | 'employeeId' | 'quantity' | 'projectId'> & {
  readonly item: string
}

/** The first two lines that have the key. */
export interface DuplicateMatch {
  /** Position of the key in the list. */
  readonly ordinal: number
  readonly first: number
  readonly second: number | null
}

/** The waiting lines that are flagged as unusual and no longer are, or the reverse. */
export async function findUnusualChanges(
  transaction: Transaction,
  usages: readonly UsageChange[],
): Promise<FlaggedLine[]> {
  const ranges = usages.flatMap(({ before, after }) => {
    const limits = [unusualSizeOf(before), unusualSizeOf(after)].map((limit) =>
      Math.min(limit, Number.MAX_SAFE_INTEGER),
    )
    const [from, to] = [Math.min(...limits), Math.max(...limits)]
    const flag = unusualSizeOf(after) === from ? anomalyBits.unusual : 0
    const { item } = after
    // Quantities of either sign.
    const returned = { item, from: 1 - to, to: 1 - Math.max(from, 1), flag }
    return from === to ? [] : [{ item, from, to, flag }, returned]
  })
  return listUnusual(transaction, ranges)
}

type NewFlags = Pick<FlaggedLine, 'id' | 'anomalyFlags'>

/** Sets the flag of those of the lines that do not have it, and clears it of those that have it. */
export async function toggleFlag(
  transaction: Transaction,
  lines: readonly FlaggedLine[],
  bit: number,
  days: WaitingDayChanges,
): Promise<void> {
  await forEachChunk(lines, chunkLines, async (chunk) => {
    for (const line of chunk) days.flag(line, line.anomalyFlags ^ bit)
    const flags = chunk.map(({ id, anomalyFlags }) => ({ id, anomalyFlags: anomalyFlags ^ bit }))
    await updateFlags(transaction, flags)
  })
}

const chunkLines = 1000

export const flaggedColumns = sql`line.id, line.state, line.date, line."departmentId", line."projectId", line."anomalyFlags"`

const keyColumns = {
  ordinal: 'integer',
  item: 'text',
  date: 'text',
  quantity: 'integer',
  employeeId: 'integer',
  projectId: 'text',
} as const

/**
 * As in the index `materialItem`. Below row-level security, PostgreSQL looks up conditions in an index only where they cannot
 * disclose values: `coalesce` and `abs` count as able to, and it would read all lines of the company for each look-up.
 */
function nonNull(value: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${value} is null then ${other} else ${value} end`
}

const itemOfLine = nonNull(sql.ref('line.itemId'), sql.ref('line.itemName'))

/** The lines that have the key whose columns `its` returns, and are not rejected: a range of an index. */
export function linesWithKey({ value }: Build, its: (column: keyof DuplicateKey) => RawBuilder<unknown>) {
  return sql`
    select line.id from material as line
    where line."companyId" = ${value('companyId')} and ${itemOfLine} = ${its('item')}
      and line.quantity = ${its('quantity')} and line.date = ${its('date')}
      and ${nonNull(sql.ref('line.projectId'), sql`''`)} = ${nonNull(its('projectId'), sql`''`)}
      and ${nonNull(sql.ref('line.employeeId'), sql`0`)} = ${nonNull(its('employeeId'), sql`0`)}
      and line."employeeId" is not distinct from ${its('employeeId')}
      and line."projectId" is not distinct from ${its('projectId')}
      and line.state <> ${sql.lit(transactionStates.rejected)}`
}

/**
 * For the keys that lines have besides those of the list `except`. One look-up in an index for each key, and another
 * one for those that are found, however many lines have the key.
 */
const listDuplicateMatches = listQuery<DuplicateKey & { ordinal: number }, { except: string }, DuplicateMatch>(
  keyColumns,
  (build, keys) => {
    const found = (key: string) => sql`${linesWithKey(build, (column) => sql.ref(`${key}.${column}`))}
    and not exists (select 1 from ${rowsFromJson(build, 'except', { id: 'integer' })} where r.id = line.id)`
    // Materialized: each member of the JSON is read once, not for each comparison.
    return sql`
    with sought as materialized (select r.* from ${keys}),
    matched as materialized (select sought.*, (${found('sought')} limit 1) as first from sought)
    select matched.ordinal, matched.first, (${found('matched')} limit 1 offset 1) as second
    from matched where matched.first is not null`
  },
)

/** As `listDuplicateMatches`. */
export async function findDuplicates(
  transaction: Transaction,
  keys: readonly (DuplicateKey & { ordinal: number })[],
  values: { except: string },
): Promise<DuplicateMatch[]> {
  // Before the look-up, in the same message.
  const setting = transaction.dialect === 'postgres' ? transaction.all(lookUpKeys, {}) : null
  const [, matches] = await Promise.all([setting, listDuplicateMatches(transaction, keys, values)])
  return matches
}

/**
 * Until the end of the transaction. Where most lines of a company are equal, PostgreSQL expects to find a line of any key at
 * once, and would read the whole table for a key that no line has.
 */
const lookUpKeys = statement(
  () => sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
)

type SizeRange = Readonly<{ item: string; from: number; to: number; flag: number }>

const rangeColumns = { item: 'text', from: 'integer', to: 'integer', flag: 'integer' } as const

/** The lines that meet the condition with one of the rows. On PostgreSQL, the offset makes it look each row up in the index. */
export function linesOfEach({ dialect }: Build, rows: RawBuilder<unknown>, condition: RawBuilder<unknown>) {
  return dialect === 'sqlite'
    ? sql`select ${flaggedColumns} from ${rows} cross join material as line where ${condition}`
    : sql`select ${flaggedColumns} from ${rows}
        cross join lateral (select * from material as line where ${condition} offset 0) as line`
}

const listUnusual = listQuery<SizeRange, NoValues, FlaggedLine>(rangeColumns, (build, ranges) => {
  const ofRange = sql`line."companyId" = ${build.value('companyId')} and ${itemOfLine} = r.item
    and line.quantity >= r."from" and line.quantity < r."to"
    and line.state = ${sql.lit(transactionStates.registered)} and (line."anomalyFlags" & ${sql.lit(anomalyBits.unusual)}) <> r.flag`
  return linesOfEach(build, ranges, ofRange)
})

/** By their ids. */
export const listFlaggedLines = idsQuery<NoValues, FlaggedLine>(
  ({ value }, ids) => sql`
    select ${flaggedColumns} from ${ids} cross join material as line
    where line."companyId" = ${value('companyId')} and line.id = r.id`,
)

const flagColumns = { id: 'integer', anomalyFlags: 'integer' } as const

export const updateFlags = listCommand<NewFlags, NoValues>(flagColumns, (build) =>
  updateEach(build, { table: 'material', set: sql`"anomalyFlags" = r."anomalyFlags"`, columns: flagColumns }),
)
