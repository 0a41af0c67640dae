// Login failures, shared between the servers of one database and stored for an hour.
import { command } from '../queries.ts'
import { sql } from 'kysely'
import { rowsFromJson, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { LoginFailureTable } from '../tables/accounts.ts'

/** Inserts a failure for each of these names, which are hashes. */
export function insertLoginFailures(
  writer: Writer,
  names: readonly string[],
  { at, server }: Pick<LoginFailureTable, 'at' | 'server'>,
): Awaitable<void> {
  return writer.run(insertStatement, { names: JSON.stringify(names.map((name) => ({ name }))), at, server })
}

/** Failures that other servers have inserted since those that this server has read last, by name and id. */
export function listLoginFailuresElsewhere(
  reader: Reader,
  known: readonly { readonly name: string; readonly after: number }[],
  server: string,
): Awaitable<Pick<LoginFailureTable, 'id' | 'name' | 'at'>[]> {
  return reader.all(elsewhereStatement, { known: JSON.stringify(known), server })
}

/** Deletes failures from before this time, in microseconds. */
export const deleteExpiredLoginFailures = command<{ before: number }>(({ db, value }) =>
  db.deleteFrom('loginFailure').where('at', '<', value('before')),
)

const insertStatement = statement((build) => {
  const { value } = build
  return sql`insert into "loginFailure" (name, at, server)
    select r.name, cast(${value('at')} as bigint), ${value('server')}
    from ${rowsFromJson(build, 'names', { name: 'text' })} where 1 = 1`
})

const elsewhereStatement = statement<Pick<LoginFailureTable, 'id' | 'name' | 'at'>>(
  (build) => sql`
    select "loginFailure".id, "loginFailure".name, "loginFailure".at from ${rowsFromJson(build, 'known', { name: 'text', after: 'integer' })}
    join "loginFailure" on "loginFailure".name = r.name and "loginFailure".id > r.after
    where "loginFailure".server <> ${build.value('server')} order by "loginFailure".id`,
)
