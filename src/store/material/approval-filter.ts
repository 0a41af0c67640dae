// Which material a screen asks for: a statement says only the conditions that are asked, so that an index can serve them.
import { sql, type RawBuilder } from 'kysely'
import type { State } from '../../model/transaction.ts'
import { statement, type Build, type Statement } from '../statement.ts'

/** Which transactions; '' stands for all of them. */
export interface QueueFilter {
  readonly state: State
  readonly from: string
  readonly to: string
  readonly department: string
  readonly project: string
  readonly employee: string
  readonly source: string
  /** Where the viewer decides: a JSON list of department ids; '' for everywhere. */
  readonly departments: string
}

/** The statement for the conditions that a filter has, built when they are first asked together; they are few. */
export function perFilter<Row>(
  make: (build: Build, isAsked: RawBuilder<unknown>) => RawBuilder<unknown>,
): (filter: QueueFilter) => Statement<Row> {
  const statements = new Map<string, Statement<Row>>()
  return (filter) => {
    const asked = names.filter((name) => filter[name] !== '')
    const shape = asked.join(' ')
    let found = statements.get(shape)
    if (found === undefined) {
      found = statement<Row>((build) => make(build, all(build, asked)))
      statements.set(shape, found)
    }
    return found
  }
}

/** Of departments that a JSON list names. */
export function isWithin({ value, dialect }: Build): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`material."departmentId" in (select value from json_each(${value('departments')}))`
    : // An array is made once; a query of its own might be joined the other way round.
      sql`material."departmentId" = any(array(select json_array_elements_text(${value('departments')}::json)))`
}

type Condition = Exclude<keyof QueueFilter, 'state'>

function all(build: Build, asked: readonly Condition[]): RawBuilder<unknown> {
  return sql.join(
    [
      sql`material."companyId" = ${build.value('companyId')}`,
      sql`material.state = ${build.value('state')}`,
      ...asked.map((name) => conditions[name](build)),
    ],
    sql` and `,
  )
}

const conditions: Readonly<Record<Condition, (build: Build) => RawBuilder<unknown>>> = {
  from: ({ value }) => sql`material.date >= ${value('from')}`,
  to: ({ value }) => sql`material.date <= ${value('to')}`,
  department: ({ value }) => sql`material."departmentId" = ${value('department')}`,
  project: ({ value }) => sql`material."projectId" = ${value('project')}`,
  // Whoever asks for what is no number finds nothing.
  employee: ({ value }) => sql`cast(material."employeeId" as text) = ${value('employee')}`,
  source: ({ value }) => sql`material.source = ${value('source')}`,
  departments: isWithin,
}

const names: readonly Condition[] = [
  'from',
  'to',
  'department',
  'project',
  'employee',
  'source',
  'departments',
]
