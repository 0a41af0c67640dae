// Bulk load of directory records.
import type { Fields, Resource, Row } from '../../engine/model/resource.ts'
import { defineInsert } from '../bulk-insert.ts'
import type { Statement } from '../statement.ts'
import { fieldColumns } from '../tables/field-columns.ts'
import type { Awaitable, Transaction } from '../store.ts'

/** Inserts records of a resource whose columns are its fields. */
export function insertRecords<F extends Fields>(
  transaction: Transaction,
  resource: Resource<F>,
  records: readonly Row<Resource<F>>[],
): Awaitable<void> {
  // Booleans are stored as 0 and 1.
  const rows = JSON.stringify(records, (_, value: unknown) => (typeof value === 'boolean' ? Number(value) : value))
  return transaction.run(insertStatement(resource), { companyId: transaction.companyId, rows })
}

function insertStatement(resource: Resource): Statement<never> {
  const known = inserts.get(resource)
  if (known !== undefined) return known
  const { table: name, fields } = resource
  const { fromJson } = defineInsert({ name, columns: fieldColumns(fields) })
  inserts.set(resource, fromJson)
  return fromJson
}

const inserts = new WeakMap<Resource, Statement<never>>()
