// Bulk load of directory records.
import type { Fields, Resource, Row } from '../../engine/model/resource.ts'
import { memoize } from '../../lib/memoize.ts'
import { defineInsert } from '../bulk-insert.ts'
import { fieldColumns } from '../tables/field-columns.ts'
import { flagAfterInsert, isReferredTable } from '../material/unknown-references.ts'
import type { Transaction } from '../store.ts'

/** Inserts records of a resource whose columns are its fields. */
export async function insertRecords<F extends Fields>(
  transaction: Transaction,
  resource: Resource<F>,
  records: readonly Row<Resource<F>>[],
): Promise<void> {
  // Booleans are stored as 0 and 1.
  const rows = JSON.stringify(records, (_, value: unknown) => (typeof value === 'boolean' ? Number(value) : value))
  await transaction.run(insertStatement(resource), { companyId: transaction.companyId, rows })
  const { table, key } = resource
  const keys = records.map((record) => String(Object.entries(record).find(([name]) => name === key[0])?.[1]))
  if (isReferredTable(table)) await flagAfterInsert(transaction, table, keys)
}

const insertStatement = memoize(
  ({ table: name, fields }: Resource) => defineInsert({ name, columns: fieldColumns(fields) }).fromJson,
)
