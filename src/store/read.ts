// Read statements: their SQL text depends on the plan cache key only, not on literals (ADR 0012).
import { sql, type RawBuilder } from 'kysely'
import { LeastRecentlyUsed } from '../lib/least-recently-used.ts'
import type { ExpandPlan, ReadPlan, SetPlan } from '../engine/planner/read-plan.ts'
import type { PlanValue } from '../engine/planner/expressions/bound-expression.ts'
import { oncePerShape, shapeOf } from '../engine/planner/plan-shape.ts'
import { statementKey } from '../engine/planner/statement-key.ts'
import { parameterName } from '../engine/sql/expressions.ts'
import { SelectStatementBuilder } from '../engine/sql/select-builder.ts'
import type { TemplateContext } from '../engine/sql/record-template.ts'
import { templateParameters, rowTypeAlias, rowTypePlans } from '../engine/sql/template-parameters.ts'
import type { JsonQueryResult, RowFormat, QueryResult, Transaction } from './store.ts'
import type { SqlDialect, SqlValue } from '../engine/sql/dialect.ts'
import { orderValues } from './order-values.ts'
import { statement, type Build, type CompiledStatement, type Statement } from './statement.ts'

/** How many rows are read first, to see whether there are more. */
export function pageLimit({ top, apply }: ReadPlan): number {
  if (top !== null && top <= pageRowsMax) return top
  // A result that is computed from many records is not computed twice.
  return apply === null ? probeRows : pageRowsMax
}

/** Whether the caller has counted more records than the first page has. */
export function exceedsFirstPage({ top, skip, matchCount = 0 }: ReadPlan): boolean {
  return top === null && matchCount - skip > probeRows
}

/** A longer result without `$top` becomes a stream. */
const probeRows = 1000
/** The largest page that is read at once; longer ones are streamed. */
export const pageRowsMax = 10_000

/** The rows of a plan; `limit` is a separate parameter. */
export function rowStatement(plan: ReadPlan, format: RowFormat): Statement<SqlValue[]> {
  return format === 'json' ? jsonStatement(plan) : valueStatement(plan)
}

const jsonStatement = oncePerShape((plan) => getOrBuild<SqlValue[]>('json', plan, (build) => jsonRows(build, plan)))

const valueStatement = oncePerShape((plan) =>
  getOrBuild<SqlValue[]>('values', plan, (build) => new SelectStatementBuilder(build, plan).valueRows(plan)),
)

/** The records of a plan as one JSON text, so that no JavaScript string is created per record. */
export const pageStatement = oncePerShape((plan) =>
  getOrBuild<{ count: number; records: Buffer | null }>('page', plan, (build) => {
    const rows = jsonRows(build, plan)
    return sql`with page(record) as (${rows})
      select count(*) as count, cast(string_agg(record, ',') as blob) as records from page`
  }),
)

export const countStatement = oncePerShape((plan) =>
  getOrBuild<{ count: number }>('count', plan, (build) => {
    if (plan.unionPlans.length === 0) return new SelectStatementBuilder(build, plan).count(plan)
    const counts = plan.unionPlans.map(
      (part, index) => sql`(${new SelectStatementBuilder(inPart(build, index), part).count(part)})`,
    )
    return sql`select ${sql.join(counts, sql` + `)} as count`
  }),
)

/** Counts the records of the plan up to `limit`, ignoring order and page. */
export function countUpToStatement(plan: ReadPlan): Statement<{ count: number }> {
  return getOrBuild('up to', { ...plan, select: [], expand: [], computed: [] }, (build) =>
    new SelectStatementBuilder(build, plan).countUpTo(plan),
  )
}

/** The days that the skip scan of the plan visits at most. */
export function skipScanDaysStatement(plan: ReadPlan): Statement<{ days: number | null }> {
  return getOrBuild('days', { ...plan, select: [], expand: [], computed: [] }, (build) =>
    new SelectStatementBuilder(build, plan).skipScanDays(plan),
  )
}

/** Counts the records, up to `limit`, of the first `entries` entries of the change log of the plan. */
export function countInChangeLogStatement(plan: ReadPlan): Statement<{ count: number }> {
  return getOrBuild('in change log', { ...plan, select: [], expand: [], computed: [] }, (build) =>
    new SelectStatementBuilder(build, plan).countInChangeLog(plan),
  )
}

/** The records of several sets one after another, each set in its own order. */
function jsonRows(build: Build, plan: ReadPlan): RawBuilder<unknown> {
  if (plan.unionPlans.length === 0) return new SelectStatementBuilder(build, plan).jsonRows(plan)
  const name = (index: number) => sql.table(`part${index}`)
  const queries = plan.unionPlans.map((part, index) => {
    const rows = new SelectStatementBuilder(inPart(build, index), part).jsonRows(part)
    return sql`${name(index)}(record) as (${rows})`
  })
  const parts = plan.unionPlans.map(
    (_, index) => sql`select ${sql.lit(index)} as part, row_number() over () as ordinal, record from ${name(index)}`,
  )
  return sql`with ${sql.join(queries)} select record from (${sql.join(parts, sql` union all `)}) as r
    order by part, ordinal limit ${build.value('limit')} offset ${build.value('skip')}`
}

/** Prefixes the parameter names of a part. */
function inPart(build: Build, index: number): Build {
  return { ...build, value: (name) => build.value(`part${index} ${name}`) }
}

/** Joins JSON records into one JSON text, or one text per chunk. */
export function joinRecords(rows: QueryResult): JsonQueryResult {
  return 'whole' in rows ? { whole: rows.whole.join(',') } : { chunks: joinChunks(rows.chunks) }
}

/** The first records of a plan as JSON texts, with what the transaction wrote. */
export async function readInTransaction(transaction: Transaction, plan: ReadPlan): Promise<string[]> {
  const values = { ...readParameters(plan), limit: pageLimit(plan) }
  const rows = await transaction.all(rowStatement(plan, 'json'), values)
  return rows.map((row) => String(Object.values(row)[0]))
}

/** The rows of a result whose number is limited, also where it is a stream. */
export async function allRows(rows: QueryResult): Promise<SqlValue[][]> {
  return 'whole' in rows ? rows.whole : (await Array.fromAsync(rows.chunks)).flat()
}

/** The records of each chunk, with commas between them. */
export async function* joinChunks(chunks: AsyncIterable<SqlValue[][]>): AsyncGenerator<string> {
  for await (const rows of chunks) yield rows.join(',')
}

/** The values of a read statement, in the order of its placeholders; `limit` is the number of rows to read. */
export function readValues(
  plan: ReadPlan,
  statement: Statement<unknown>,
  { dialect, limit }: { readonly dialect: SqlDialect; readonly limit: number },
): readonly SqlValue[] {
  const compiled = statement.compiled(dialect)
  if (shapeOf(plan) === undefined) return orderValues(compiled, { ...readParameters(plan), limit })
  const sourcesByStatement = sourcesByStatementOf(plan)
  let sources = sourcesByStatement.get(compiled)
  if (sources === undefined) sourcesByStatement.set(compiled, (sources = sourcesOf(plan, compiled)))
  return sources.map((source) => {
    if (source === 'limit') return limit
    if (typeof source === 'string') return plan[source]
    return 'index' in source ? toSql(plan.values[source.index] ?? '') : source.constant
  })
}

/** Where the value of a placeholder comes from; `index` points into the values of the plan. */
type PlaceholderSource = ('limit' | 'companyId' | 'skip') | { readonly index: number } | { readonly constant: SqlValue }

const sourcesByStatementOf = oncePerShape(() => new Map<CompiledStatement, readonly PlaceholderSource[]>())

function sourcesOf(plan: ReadPlan, { sql, placeholders }: CompiledStatement): PlaceholderSource[] {
  const parameters = readParameters(plan)
  const indexByName = new Map(plan.values.map((_, index) => [parameterName(index), index]))
  return placeholders.map((placeholder): PlaceholderSource => {
    if ('constant' in placeholder) return placeholder
    const { name } = placeholder
    if (name === 'limit' || name === 'companyId' || name === 'skip') return name
    const index = indexByName.get(name)
    if (index !== undefined) return { index }
    const constant = parameters[name]
    if (constant === undefined) throw new Error(`no parameter named ${name} for: ${sql}`)
    return { constant }
  })
}

/** The parameters of a read statement, except `limit`. */
export function readParameters(plan: ReadPlan): Record<string, SqlValue> {
  if (plan.unionPlans.length > 0) return { skip: plan.skip, ...partValues(plan) }
  const values: Record<string, SqlValue> = {
    companyId: plan.companyId,
    skip: plan.skip,
    ...templateParameters(plan, 't0', plan),
  }
  addVariants(values, plan, plan)
  plan.values.forEach((value, index) => {
    values[parameterName(index)] = toSql(value)
  })
  addExpanded(values, plan.expand, plan)
  return values
}

function partValues({ unionPlans }: ReadPlan): Record<string, SqlValue> {
  return Object.fromEntries(
    unionPlans.flatMap((part, index) =>
      Object.entries({ ...readParameters(part), limit: Number.MAX_SAFE_INTEGER }).map(([name, value]) => [
        `part${index} ${name}`,
        value,
      ]),
    ),
  )
}

/** Booleans are stored as 0 and 1; a list is passed as one JSON text. */
function toSql(value: PlanValue): SqlValue {
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}

function addVariants(values: Record<string, SqlValue>, plan: SetPlan, format: TemplateContext): void {
  for (const [index, rowPlan] of rowTypePlans(plan).entries())
    Object.assign(values, templateParameters(rowPlan, rowTypeAlias(plan, index), format))
}

function addExpanded(values: Record<string, SqlValue>, expand: readonly ExpandPlan[], format: TemplateContext): void {
  for (const one of expand) {
    Object.assign(values, templateParameters(one, `t${one.number}`, format))
    addVariants(values, one, format)
    values[`top${one.number}`] = one.top ?? Number.MAX_SAFE_INTEGER
    values[`skip${one.number}`] = one.skip
    addExpanded(values, one.expand, format)
  }
}

const statements = new LeastRecentlyUsed<string, Statement<never>>(1000)

function getOrBuild<Row>(kind: string, plan: ReadPlan, build: (build: Build) => RawBuilder<unknown>): Statement<Row> {
  const { metadata, decimals, nulls, etags, isMixed = false } = plan.recordFormat
  const metadataKey = metadata === 'minimal' && isMixed ? 'mixed' : metadata === 'full'
  const formatKey = `${plan.dates} ${metadataKey} ${decimals} ${nulls} ${etags}`
  const key = `${kind} ${formatKey} ${statementKey(plan)}`
  let found = statements.get(key)
  if (found === undefined) statements.set(key, (found = statement(build)))
  return found
}
