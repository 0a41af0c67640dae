// Grouping of lines: what approvals can be grouped by, and the keys of the groups.
import { sql, type RawBuilder } from 'kysely'

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const

export type LineGrouping = (typeof groupings)[number]

export type GroupedBy = Exclude<LineGrouping, 'none'>

/** What lines are grouped by. */
export const groupColumns: Readonly<Record<LineGrouping, RawBuilder<unknown>>> = {
  none: sql`material.date`,
  project: sql`material."projectId"`,
  employee: sql`cast(material."employeeId" as text)`,
  department: sql`material."departmentId"`,
  day: sql`material.date`,
}

export function isOrderedByDate(grouping: LineGrouping): boolean {
  return grouping === 'none' || grouping === 'day'
}

/** The group key; lines without one come first. Every line has a date, so the index column is used as it is. */
export function groupKey(grouping: LineGrouping): RawBuilder<unknown> {
  return isOrderedByDate(grouping) ? groupColumns[grouping] : sql`coalesce(${groupColumns[grouping]}, '')`
}
