// The schema in the database: keys and references of company tables, on both databases.
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fingerprint } from '../src/store/migrations/0001-initial.ts'
import { withSchemaConnection } from '../src/store/open-store.ts'
import { statement, type Statement } from '../src/store/statement.ts'
import { tables } from '../src/store/tables.ts'
import type { SqlDialect } from '../src/engine/sql/dialect.ts'
import { databases } from './support/databases.ts'
import { useTestServer } from './support/server.ts'

interface Key {
  readonly table: string
  readonly name: string
  /** Separated by commas. */
  readonly columns: string
}

interface ForeignKey {
  readonly table: string
  readonly columns: string
  readonly definition: string
}

/** An API key is looked up before the company is known. */
const serverWideKeys = ['credentialId']

const ofCompany = new Set(
  Object.values(tables)
    .filter(({ columns }) => Object.keys(columns)[0] === 'companyId')
    .map(({ name }) => name),
)

describe.each(databases)('the schema on $name', (database) => {
  let made: Awaited<ReturnType<typeof database.make>>
  let keys: readonly Key[]
  let foreignKeys: readonly ForeignKey[]
  beforeAll(async () => {
    made = await database.make('schema')
    await withSchemaConnection(made.url, async (db, dialect) => {
      keys = await uniqueKeys(db, dialect)
      foreignKeys = await references(db, dialect)
    })
  })
  afterAll(() => made.drop())

  test('has every table of the definitions, and no others', () => {
    const found = new Set(keys.map(({ table }) => table))
    expect([...found].sort()).toEqual(Object.keys(tables).sort())
  })

  test('every key and every unique index of a company table begins with the company', () => {
    const others = keys
      .filter(({ table, name }) => ofCompany.has(table) && !serverWideKeys.includes(name))
      .filter(({ columns }) => !columns.startsWith('companyId'))
    expect(others).toEqual([])
  })

  test('a reference to a record of a company names the company, and is checked at the commit', () => {
    expect(foreignKeys.length).toBeGreaterThan(ofCompany.size)
    for (const { table, columns, definition } of foreignKeys) {
      expect(definition, `${table}: ${columns}`).toMatch(/deferrable initially deferred/i)
      const [, to = ''] = /references "?(\w+)"?/i.exec(definition) ?? []
      if (ofCompany.has(to)) expect(columns, `${table} → ${to}`).toMatch(/^companyId,/)
    }
  })
})

test.each(['columns', 'indexes'] as const)(
  'the initial migration has another name when a table has other %s, so that older databases are rejected',
  (member) => {
    const before = fingerprint()
    const definitions: Record<string, unknown> = tables.revenue[member]
    const [name = ''] = Object.keys(definitions).slice(-1)
    const definition = definitions[name]
    delete definitions[name]
    expect(fingerprint()).not.toBe(before)
    definitions[name] = definition
    expect(fingerprint()).toBe(before)
  },
)

describe.each(databases)('references on $name', (database) => {
  const server = useTestServer(database, 'references')

  test('a reference to no record fails its own operation, not the others of the same commit', async () => {
    const companyId = server.tenantA.id
    const run = (insert: Statement<never>, name: string) =>
      server.store.inTransaction(companyId as never, (transaction) => transaction.run(insert, { companyId, name }))
    const outcomes = await Promise.allSettled([
      run(knownAddressInsert, 'first'),
      run(favouriteOfNobodyInsert, 'second'),
      run(knownAddressInsert, 'third'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await server.store.all(knownAddresses, { companyId })).toEqual([{ address: 'first' }, { address: 'third' }])
  })
})

const knownAddressInsert = statement(
  ({ value }) => sql`
    insert into "knownAddress" ("companyId", address, "succeededAt") values (${value('companyId')}, ${value('name')}, 0)`,
)

const favouriteOfNobodyInsert = statement(
  ({ value }) => sql`
    insert into "favouriteItem" ("companyId", "userId", "itemName", "itemId")
    values (${value('companyId')}, 999999, ${value('name')}, '')`,
)

const knownAddresses = statement<{ address: string }>(
  ({ value }) => sql`select address from "knownAddress" where "companyId" = ${value('companyId')} order by address`,
)

async function uniqueKeys(db: Kysely<unknown>, dialect: SqlDialect): Promise<readonly Key[]> {
  const query =
    dialect === 'sqlite'
      ? sql<Key>`
          select t.name as "table", i.name, string_agg(c.name, ',' order by c.seqno) as columns
          from sqlite_schema as t, pragma_index_list(t.name) as i, pragma_index_info(i.name) as c
          where t.type = 'table' and i."unique" = 1 and t.name not like 'kysely%' group by t.name, i.name
          union all
          select t.name, t.name, 'id' from sqlite_schema as t where t.sql like '%primary key autoincrement%'`
      : sql<Key>`
          select t.relname as "table", i.relname as name,
            (select string_agg(a.attname, ',' order by k.place) from unnest(x.indkey::int[]) with ordinality as k (number, place)
              join pg_attribute as a on a.attrelid = t.oid and a.attnum = k.number) as columns
          from pg_index as x join pg_class as i on i.oid = x.indexrelid join pg_class as t on t.oid = x.indrelid
          where x.indisunique and t.relnamespace = current_schema()::regnamespace and t.relname not like 'kysely%'`
  return (await query.execute(db)).rows
}

async function references(db: Kysely<unknown>, dialect: SqlDialect): Promise<readonly ForeignKey[]> {
  if (dialect === 'postgres')
    return (
      await sql<ForeignKey>`
        select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition,
          (select string_agg(a.attname, ',' order by k.place) from unnest(conkey::int[]) with ordinality as k (number, place)
            join pg_attribute as a on a.attrelid = conrelid and a.attnum = k.number) as columns
        from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db)
    ).rows
  const { rows } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_schema where type = 'table'`.execute(db)
  return rows.flatMap(({ name, text }) =>
    [...text.matchAll(/foreign key \((?<columns>[^)]*)\)(?<definition>[^,]*?\([^)]*\)[^,)]*)/g)].map(({ groups }) => ({
      table: name,
      columns: (groups?.columns ?? '').replaceAll(/[" ]/g, ''),
      definition: groups?.definition ?? '',
    })),
  )
}
