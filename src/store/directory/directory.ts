// Bulk load of directory records.
import type { Fields, Resource, Row } from '../../engine/model/resource.ts'
import { memoize } from '../../lib/memoize.ts'
import { defineInsert } from '../bulk-insert.ts'
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

const insertStatement = memoize(
  ({ table: name, fields }: Resource) => defineInsert({ name, columns: fieldColumns(fields) }).fromJson,
)
