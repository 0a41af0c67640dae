// Approval filter: a statement has only the conditions that are set, so that an index serves it.
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { transactionStates, type TransactionState } from '../../model/transaction.ts'
import type { NoValues, StatementParameters } from '../queries.ts'
import { statement, type Build, type NamedValues, type Statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'

/** Which transactions; '' does not restrict. */
export interface ApprovalFilter {
  readonly state: TransactionState
  readonly from: string
  readonly to: string
  readonly department: string
  readonly project: string
  readonly employee: string
  readonly source: string
  /** Lower-case text in the item, the project, the employee or the remark: reads every line of the state. */
  readonly search: string
  /** The departments of the approver: a JSON list of ids; '' for all. */
  readonly departments: string
}

type WriteFiltered = (build: Build, matches: RawBuilder<unknown>) => RawBuilder<unknown>

/** Declares a function that finds rows of the transactions of a filter. */
export function queryPerFilter<Row, Values extends NamedValues<Values> = NoValues>(write: WriteFiltered) {
  return queryPerCondition<Row, Values>(write, (build) => [sql`material.state = ${build.value('state')}`])
}

/** The same for the rows of `waitingDay`, as `material`, for filters of `isOfDays`. */
export function dayQueryPerFilter<Row, Values extends NamedValues<Values>>(write: WriteFiltered) {
  return queryPerCondition<Row, Values>(write, () => [])
}

/** Whether waiting days have what the filter depends on. */
export function isOfDays({ state, employee, source, search }: ApprovalFilter): boolean {
  return state === transactionStates.registered && employee === '' && source === '' && search === ''
}

/** A statement per combination of conditions; there are few. */
function queryPerCondition<Row, Values extends NamedValues<Values>>(
  write: WriteFiltered,
  always: (build: Build) => readonly RawBuilder<unknown>[],
) {
  const statements = new Map<string, Statement<Row>>()
  return (
    reader: Reader,
    companyId: CompanyId,
    filter: ApprovalFilter,
    ...[values]: StatementParameters<Values>
  ): Awaitable<Row[]> => {
    const filterValues = new Map<string, string>(Object.entries(filter))
    const active = Object.entries(conditions).filter(([name]) => filterValues.get(name) !== '')
    const key = active.map(([name]) => name).join(' ')
    let found = statements.get(key)
    if (found === undefined) {
      found = statement<Row>((build) => {
        const terms = [...always(build), ...active.map(([, condition]) => condition(build))]
        return write(build, sql.join([sql`material."companyId" = ${build.value('companyId')}`, ...terms], sql` and `))
      })
      statements.set(key, found)
    }
    return reader.all(found, { companyId, ...filter, ...values })
  }
}

/** A transaction, or a line for export; they have the same content. */
export type LineRecord = 'material' | 'line'

/** Whether the department of the record is in the JSON list. */
export function inDepartments({ value, dialect }: Build, record: LineRecord = 'material'): RawBuilder<unknown> {
  const department = sql.ref(`${record}.departmentId`)
  return dialect === 'sqlite'
    ? sql`${department} in (select value from json_each(${value('departments')}))`
    : // An array is evaluated once; the planner might join a subquery in the other direction.
      sql`${department} = any(array(select json_array_elements_text(${value('departments')}::json)))`
}

/** The departments of an approver; null for all. */
export type Departments = readonly string[] | null

/** Declares a function that finds rows of the export lines, as `line`, of some departments or all: a statement for each. */
export function queryPerScope<Values extends NamedValues<Values>, Row>(
  write: (build: Build, inScope: RawBuilder<unknown>) => RawBuilder<unknown>,
): (reader: Reader, values: Values, departments: Departments) => Awaitable<Row[]> {
  const all = statement<Row>((build) => write(build, sql`true`))
  const ofDepartments = statement<Row>((build) => write(build, inDepartments(build, 'line')))
  return (reader, values, departments) =>
    departments === null
      ? reader.all(all, values)
      : reader.all(ofDepartments, { ...values, departments: JSON.stringify(departments) })
}

export function lowerCase({ dialect }: Build, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`text_lower(${text})` : sql`lower(${text} collate "und-x-icu")`
}

/** Whether item, project, employee or remark contain the value `search`; with the joins of `joinSearched`. */
export function containsSearch(build: Build, record: string): RawBuilder<unknown> {
  const { value, dialect } = build
  const searched = sql.join(
    [
      `${record}.itemId`,
      `${record}.itemName`,
      `${record}.remark`,
      `${record}.projectId`,
      'project.name',
      // The list has the name before the code.
      `${record}.projectId`,
      'employee.firstName',
      'employee.lastName',
    ].map((column) => sql`coalesce(${sql.ref(column)}, '')`),
    sql` || ' ' || `,
  )
  const text = lowerCase(build, sql`(${searched})`)
  return dialect === 'sqlite'
    ? sql`instr(${text}, ${value('search')}) > 0`
    : sql`strpos(${text}, cast(${value('search')} as text)) > 0`
}

export function joinSearched(record: string): RawBuilder<unknown> {
  const its = (table: string, column: string) => sql`left join ${sql.table(table)}
    on ${sql.ref(`${table}.companyId`)} = ${sql.ref(`${record}.companyId`)}
      and ${sql.ref(`${table}.id`)} = ${sql.ref(`${record}.${column}`)}`
  return sql`${its('project', 'projectId')} ${its('employee', 'employeeId')}`
}

/** By the id, as not every statement has the columns that are searched. */
function isFound(build: Build): RawBuilder<unknown> {
  const { value } = build
  return sql`material.id in (
    select sought.id from material as sought ${joinSearched('sought')}
    where sought."companyId" = ${value('companyId')} and sought.state = ${value('state')}
      and ${containsSearch(build, 'sought')})`
}

type ApprovalCondition = Exclude<keyof ApprovalFilter, 'state'>

const conditions: Readonly<Record<ApprovalCondition, (build: Build) => RawBuilder<unknown>>> = {
  from: ({ value }) => sql`material.date >= ${value('from')}`,
  to: ({ value }) => sql`material.date <= ${value('to')}`,
  department: ({ value }) => sql`material."departmentId" = ${value('department')}`,
  project: ({ value }) => sql`material."projectId" = ${value('project')}`,
  // Compared as text, so that a value that is not a number finds nothing.
  employee: ({ value }) => sql`cast(material."employeeId" as text) = ${value('employee')}`,
  source: ({ value }) => sql`material.source = ${value('source')}`,
  search: isFound,
  departments: inDepartments,
}
