// Database snapshot: reads table by table at one point in time, while a server goes on writing.
import { sql } from 'kysely'
import { archiveChunkRows, rowsStatement, type ArchivedTable, type ArchivedRow, type Snapshot } from './table.ts'
import { sqlitePath } from '../open-store.ts'
import { connect } from '../sqlite/connection.ts'
import { statement } from '../statement.ts'

export async function openSnapshot(url: string): Promise<Snapshot> {
  const path = sqlitePath(url)
  if (path !== null) return openSqliteSnapshot(path)
  // A server on SQLite does not load the driver.
  const { openPostgresSnapshot } = await import('./postgres-snapshot.ts')
  return openPostgresSnapshot(url)
}

async function openSqliteSnapshot(path: string): Promise<Snapshot> {
  const connection = connect(path, 'reader')
  connection.exec('begin')
  const columns = Map.groupBy(connection.all(sqliteColumns, {}), ({ name }) => name)
  const sequences = new Map(connection.all(sqliteSequences, {}).map(({ name, last }) => [name, last]))
  const tables = [...columns].map(([name, ofTable]) => ({
    name,
    columns: ofTable.map(({ column }) => column),
    sequence: sequences.get(name) ?? null,
  }))
  const countRows = ({ name }: ArchivedTable) => {
    const counted = statement<{ count: number }>(() => sql`select count(*) as count from ${sql.id(name)}`)
    return connection.first(counted, {})?.count ?? 0
  }
  return {
    tables,
    estimateRows: () => tables.reduce((sum, table) => sum + countRows(table), 0),
    rows: (table) => inChunks(connection.iterate(rowsStatement(table), {})),
    close: async () => connection.close(),
  }
}

function* inChunks(rows: Iterable<ArchivedRow>): Generator<ArchivedRow[]> {
  let chunk: ArchivedRow[] = []
  for (const row of rows) {
    chunk.push(row)
    if (chunk.length < archiveChunkRows) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** Without the tables of Kysely: the migrations of the restoring version create them. */
const sqliteColumns = statement<{ name: string; column: string }>(
  () => sql`
    select t.name as name, c.name as "column"
    from sqlite_master as t, pragma_table_info(t.name) as c
    where t.type = 'table' and t.name not like 'sqlite!_%' escape '!' and t.name not like 'kysely!_%' escape '!'
    order by t.rowid, c.cid`,
)

const sqliteSequences = statement<{ name: string; last: number }>(
  () => sql`select name, seq as last from sqlite_sequence`,
)
