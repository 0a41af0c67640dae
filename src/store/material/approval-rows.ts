// Approval rows: material listed window by window in order (ADR 0049).
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { queryPerFilter, type ApprovalFilter } from './approval-filter.ts'
import { groupColumns, groupKey, isOrderedByDate, type LineGrouping } from './grouping.ts'
import { orderTerms, type LineSort } from './line-order.ts'
import { joinNames, materialRowColumns, type NamedMaterial } from './material-rows.ts'
import { joinEach } from '../statement.ts'
import type { Reader } from '../store.ts'

/** A window of the list: `top` lines after the first `skip`, counted from the group `at`. */
export interface ApprovalWindow {
  /** The key of a group, or a date where nothing is grouped; null for the beginning of the list. */
  readonly at: string | null
  readonly skip: number
  /** The id of the last line of the window before, of the day `at`: lines that leave the list meanwhile move no other. */
  readonly after?: number | undefined
  readonly top: number
  /** What the lines of a group are sorted by, or all where nothing is grouped; by date unless given. */
  readonly sort?: LineSort | undefined
}

/**
 * The index is in the order of dates. For other groupings the rest of the group `at` is read first, which needs no sort,
 * and then the beginning of the following groups.
 */
export async function listApprovalRows(
  reader: Reader,
  companyId: CompanyId,
  filter: ApprovalFilter,
  grouping: LineGrouping,
  window: ApprovalWindow,
): Promise<NamedMaterial[]> {
  const rows = (range: GroupRange, { at, skip, top, sort, after = 0 }: ApprovalWindow) =>
    rowQuery(grouping, range, sort)(reader, companyId, filter, { at, skip, top, after })
  if (window.at === null) return rows('all', window)
  if (window.after !== undefined) return rows('behind', window)
  if (isOrderedByDate(grouping)) return rows('from', window)
  const inGroup = await rows(window.at === '' ? 'null' : 'equal', window)
  if (inGroup.length === window.top) return inGroup
  // The group has become shorter: the window begins after it.
  if (inGroup.length === 0) return rows('from', window)
  return [...inGroup, ...(await rows('after', { ...window, skip: 0, top: window.top - inGroup.length }))]
}

export type LineAmount = Pick<NamedMaterial, 'id' | 'amount'>

/** Every matching line, by ascending id. */
export const listLineAmounts = queryPerFilter<LineAmount>(
  (_, matches) => sql`select material.id, material.amount from material where ${matches} order by material.id`,
)

/** All lines; those from a group on, those of the group, those without a group, those after it, and those after a line. */
const groupRanges = {
  all: () => sql`true`,
  from: (grouping, at) => sql`${groupKey(grouping)} >= ${at}`,
  equal: (grouping, at) => sql`${groupColumns[grouping]} = ${at}`,
  null: (grouping) => sql`${groupColumns[grouping]} is null`,
  after: (grouping, at) => sql`${groupKey(grouping)} > ${at}`,
  behind: (_, at, id) => sql`(material.date, material.id) > (${at}, ${id})`,
} as const satisfies Readonly<Record<string, WriteRange>>

type WriteRange = (grouping: LineGrouping, at: RawBuilder<unknown>, after: RawBuilder<unknown>) => RawBuilder<unknown>

type GroupRange = keyof typeof groupRanges

/** Reads the ids of the window from the index, and looks up rows and names for the window only. */
function rowsBy(grouping: LineGrouping, range: GroupRange, sort: LineSort | undefined) {
  return queryPerFilter<NamedMaterial, WindowValues>((build, matches) => {
    const { value } = build
    const isInGroup = range === 'equal' || range === 'null'
    const isByDate = isInGroup || (sort === undefined ? isOrderedByDate(grouping) : grouping === 'none')
    const order = sql.join([
      ...(isByDate ? [] : [groupKey(grouping)]),
      ...(sort === undefined ? [] : [orderTerms(build, sort)]),
      sql`material.date, material.id`,
    ])
    return sql`
      select ${materialRowColumns} from (
        select material.id from material where ${matches} and ${groupRanges[range](grouping, value('at'), value('after'))}
        order by ${order} limit ${value('top')} offset ${value('skip')}
      ) as picked
      ${joinEach(build, 'material', sql`material."companyId" = ${value('companyId')} and material.id = picked.id`)}
      ${joinNames(build)} order by ${order}`
  })
}

type WindowValues = Pick<ApprovalWindow, 'at' | 'skip' | 'top'> & { readonly after: number }

const rowQueries = new Map<string, ReturnType<typeof rowsBy>>()

function rowQuery(grouping: LineGrouping, range: GroupRange, sort: LineSort | undefined) {
  const key = JSON.stringify([grouping, range, sort?.by, sort?.isDescending])
  const found = rowQueries.get(key) ?? rowsBy(grouping, range, sort)
  rowQueries.set(key, found)
  return found
}
