// Grouping: what approvals can be grouped by, and the keys of the groups.
import { sql, type RawBuilder } from 'kysely'

export const groupings = ['none', 'project', 'employee', 'department', 'day'] as const

export type Grouping = (typeof groupings)[number]

export type GroupedBy = Exclude<Grouping, 'none'>

/** What lines are grouped by. */
export const groupColumns: Readonly<Record<Grouping, RawBuilder<unknown>>> = {
  none: sql`material.date`,
  project: sql`material."projectId"`,
  employee: sql`cast(material."employeeId" as text)`,
  department: sql`material."departmentId"`,
  day: sql`material.date`,
}

export function isOrderedByDate(grouping: Grouping): boolean {
  return grouping === 'none' || grouping === 'day'
}

/** The group key; lines without one come first. Every line has a date, so the index column is used as it is. */
export function groupKey(grouping: Grouping): RawBuilder<unknown> {
  return isOrderedByDate(grouping) ? groupColumns[grouping] : sql`coalesce(${groupColumns[grouping]}, '')`
}
