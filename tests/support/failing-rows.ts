// A fault of one company: the database rejects changes of its rows in one table.
import { sql } from 'kysely'
import { crossCompanyStatement } from '../../src/store/statement.ts'
import type { TestCompany, TestServer } from './server.ts'

/** Rejects this change of every row of the company while `work` runs. */
export async function whileRowsFail(
  { store, url }: TestServer,
  table: string,
  change: 'insert' | 'update' | 'delete',
  { id }: TestCompany,
  work: () => Promise<void>,
): Promise<void> {
  const run = (text: string) =>
    store.inSystemTransaction((writer) =>
      writer.run(
        crossCompanyStatement(() => sql.raw(text)),
        {},
      ),
    )
  const isPostgres = url.startsWith('postgres')
  const row = change === 'insert' ? 'new' : 'old'
  const trigger = `create trigger fault before ${change} on "${table}" for each row when (${row}."companyId" = ${id})`
  if (isPostgres)
    await run(`create function fault() returns trigger language plpgsql as $$ begin raise exception 'fault'; end $$`)
  await run(isPostgres ? `${trigger} execute function fault()` : `${trigger} begin select raise(abort, 'fault'); end`)
  try {
    await work()
  } finally {
    await run(isPostgres ? `drop trigger fault on "${table}"` : 'drop trigger fault')
    if (isPostgres) await run('drop function fault()')
  }
}
