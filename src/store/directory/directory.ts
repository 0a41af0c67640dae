// Bulk load of directory records.
import { sql } from 'kysely'
import type { Fields, Resource, Row } from '../../engine/model/resource.ts'
import { columnTypeOf } from '../tables/directory.ts'
import { rowsFromJson, statement, type Statement } from '../statement.ts'
import type { Awaitable, Transaction } from '../store.ts'

/** Inserts records of a resource whose columns are its fields. */
export function insertRecords<F extends Fields>(
  transaction: Transaction,
  resource: Resource<F>,
  records: readonly Row<Resource<F>>[],
): Awaitable<void> {
  // Booleans are stored as 0 and 1.
  const rows = JSON.stringify(records, (_, value: unknown) =>
    typeof value === 'boolean' ? Number(value) : value,
  )
  return transaction.run(insertStatement(resource), { companyId: transaction.companyId, rows })
}

function insertStatement(resource: Resource): Statement<never> {
  let found = inserts.get(resource)
  if (found === undefined) inserts.set(resource, (found = buildInsert(resource)))
  return found
}

const inserts = new WeakMap<Resource, Statement<never>>()

function buildInsert({ table, fields }: Resource): Statement<never> {
  return statement((build) => {
    const names = Object.keys(fields)
    const types = Object.entries(fields).map(([name, { type }]) => [name, columnTypeOf(type)])
    const rows = rowsFromJson(build, 'rows', Object.fromEntries(types))
    return sql`insert into ${sql.table(table)} (${sql.join(['companyId', ...names].map((name) => sql.id(name)))})
      select cast(${build.value('companyId')} as bigint), ${sql.join(names.map((name) => sql.ref(`r.${name}`)))}
      from ${rows} where true`
  })
}
