// Exported lines of earlier years, copied from those that wait: PostgreSQL plans by the sizes of its tables.
import { Client } from 'pg'
import { transactionStates } from '../../src/model/transaction.ts'

/** Each waiting line of each company as so many exported ones. */
export async function insertExportHistory(url: string, copies: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const [table, changed] of Object.entries(changedColumns)) {
    const { rows } = await client.query<{ column_name: string }>(
      'select column_name from information_schema.columns where table_name = $1',
      [table],
    )
    const names = rows.map((row) => row.column_name)
    const copied = names.map((name) => changed[name] ?? `source."${name}"`)
    await client.query(
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
       select ${copied.join(', ')} from "${table}" as source cross join generate_series(1, ${copies}) as n`,
    )
  }
  await client.end()
}

/** Above the ids of all waiting lines. */
function copyOf(id: string): string {
  return `source."${id}" + n * 1000000`
}

const changedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  material: { id: copyOf('id'), externalId: 'null', state: `'${transactionStates.exported}'` },
  exportLine: { id: copyOf('id'), materialId: copyOf('materialId'), exportKey: `source."exportKey" || '.' || n` },
  destinationLine: { lineId: copyOf('lineId'), materialId: copyOf('materialId'), state: `'exported'` },
}
