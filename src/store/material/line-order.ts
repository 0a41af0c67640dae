// Line order: what lines of the approvals list are sorted by, beside their date.
import { sql, type RawBuilder } from 'kysely'
import { lowerCase } from './approval-filter.ts'
import type { Build } from '../statement.ts'

export const lineSorts = ['date', 'employee', 'project', 'item', 'quantity', 'price', 'amount', 'age'] as const

export interface LineSort {
  readonly by: (typeof lineSorts)[number]
  readonly isDescending: boolean
}

/** What to order by; a line without a value comes first, or last when descending. */
export function orderTerms(build: Build, { by, isDescending }: LineSort): RawBuilder<unknown> {
  const value = sortedValues[by](build)
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return sql`(${value} is not null) ${direction}, ${value} ${direction}`
}

const sortedValues: Readonly<Record<LineSort['by'], (build: Build) => RawBuilder<unknown>>> = {
  date: () => sql`material.date`,
  employee: (build) =>
    lowerCase(
      build,
      sql`(select coalesce(employee."lastName", '') || ' ' || coalesce(employee."firstName", '') from employee
        where employee."companyId" = ${build.value('companyId')} and employee.id = material."employeeId")`,
    ),
  project: (build) =>
    lowerCase(
      build,
      sql`coalesce((select project.name from project
        where project."companyId" = ${build.value('companyId')} and project.id = material."projectId"), material."projectId")`,
    ),
  item: (build) => lowerCase(build, sql`coalesce(material."itemName", material."itemId")`),
  quantity: () => sql`material.quantity`,
  price: () => sql`material."salesPrice"`,
  amount: () => sql`material.amount`,
  // The youngest was registered last.
  age: () => sql`- material."createdAt"`,
}
