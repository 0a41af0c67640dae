// Login failures, shared between the servers of one database and stored for an hour.
import { sql } from 'kysely'
import { deleteBefore } from '../row-statements.ts'
import { command, rowsQuery } from '../queries.ts'
import { rowsFromJson } from '../statement.ts'
import type { LoginFailureTable } from '../tables/accounts.ts'

/** Inserts a failure for each `name` of the JSON list `names`; the names are hashes. */
export const insertLoginFailures = command<Pick<LoginFailureTable, 'at' | 'server'> & { names: string }>((build) => {
  const { value } = build
  return sql`insert into "loginFailure" (name, at, server)
    select r.name, cast(${value('at')} as bigint), ${value('server')}
    from ${rowsFromJson(build, 'names', { name: 'text' })} where 1 = 1`
})

/** Failures that other servers have inserted: of each `name` of the JSON list `known` those with ids above `after`. */
export const listLoginFailuresElsewhere = rowsQuery<
  { known: string; server: string },
  Pick<LoginFailureTable, 'id' | 'name' | 'at'>
>(
  (build) => sql`
    select "loginFailure".id, "loginFailure".name, "loginFailure".at from ${rowsFromJson(build, 'known', { name: 'text', after: 'integer' })}
    join "loginFailure" on "loginFailure".name = r.name and "loginFailure".id > r.after
    where "loginFailure".server <> ${build.value('server')} order by "loginFailure".id`,
)

/** Deletes failures from before this time, in microseconds. */
export const deleteExpiredLoginFailures = command(deleteBefore('loginFailure', 'at'))
