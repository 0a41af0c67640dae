// Line order: what waiting lines of the approvals and of the export are sorted by.
import { sql, type RawBuilder } from 'kysely'
import { lowerCase, type LineRecord } from './approval-filter.ts'
import type { Build } from '../statement.ts'

export const lineSorts = ['date', 'employee', 'project', 'item', 'quantity', 'price', 'amount', 'age'] as const

export interface LineSort {
  readonly by: (typeof lineSorts)[number]
  readonly isDescending: boolean
}

/** What to order by; a line without a value comes first, or last when descending. */
export function orderTerms(
  build: Build,
  { by, isDescending }: LineSort,
  record: LineRecord = 'material',
): RawBuilder<unknown> {
  const value = sortedValues[by](build, (name) => sql.ref(`${record}.${name}`))
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  return sql`(${value} is not null) ${direction}, ${value} ${direction}`
}

type ColumnOf = (name: string) => RawBuilder<unknown>

const sortedValues: Readonly<Record<LineSort['by'], (build: Build, column: ColumnOf) => RawBuilder<unknown>>> = {
  date: (_, column) => column('date'),
  employee: (build, column) =>
    alphabeticKey(
      build,
      sql`(select coalesce(employee."lastName", '') || ' ' || coalesce(employee."firstName", '') from employee
        where employee."companyId" = ${build.value('companyId')} and employee.id = ${column('employeeId')})`,
    ),
  project: (build, column) =>
    alphabeticKey(
      build,
      sql`coalesce((select project.name from project
        where project."companyId" = ${build.value('companyId')} and project.id = ${column('projectId')}), ${column('projectId')})`,
    ),
  item: (build, column) => alphabeticKey(build, sql`coalesce(${column('itemName')}, ${column('itemId')})`),
  quantity: (_, column) => column('quantity'),
  price: (_, column) => column('salesPrice'),
  amount: (_, column) => column('amount'),
  // The youngest was registered last.
  age: (_, column) => sql`- ${column('createdAt')}`,
}

/** Text whose order by code point is the Norwegian one, on both databases: æ, ø and å are the last letters, and aa is å. */
function alphabeticKey(build: Build, text: RawBuilder<unknown>): RawBuilder<unknown> {
  const key = sortedLetters.reduce(
    (replaced, [letter, sorted]) => sql`replace(${replaced}, ${sql.lit(letter)}, ${sql.lit(sorted)})`,
    lowerCase(build, text),
  )
  return build.dialect === 'sqlite' ? key : sql`(${key} collate "C")`
}

/** The code points after z are {, | and }. */
const sortedLetters = [
  ['æ', '{'],
  ['ä', '{'],
  ['ø', '|'],
  ['ö', '|'],
  ['å', '}'],
  ['aa', '}'],
  ['é', 'e'],
  ['ü', 'y'],
] as const
