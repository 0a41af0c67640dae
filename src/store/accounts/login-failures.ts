// Wrong passwords, as the servers on one database tell them to each other; kept for an hour.
import { sql } from 'kysely'
import { rowsOf, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { FailureTable } from '../tables/accounts.ts'

/** Against all of these names, none of which says whose it is. */
export function insertFailures(
  writer: Writer,
  names: readonly string[],
  { at, server }: Pick<FailureTable, 'at' | 'server'>,
): Awaitable<void> {
  return writer.run(insertStatement, {
    names: JSON.stringify(names.map((name) => ({ name }))),
    at,
    server,
  })
}

/** What a server knows of a name: the last failure elsewhere that it was told of. */
export interface Known {
  readonly name: string
  readonly after: number
}

/** What other servers noted since, in their order. */
export function failuresElsewhere(
  reader: Reader,
  known: readonly Known[],
  server: string,
): Awaitable<Pick<FailureTable, 'id' | 'name' | 'at'>[]> {
  return reader.all(elsewhereStatement, { known: JSON.stringify(known), server })
}

/** Forgets those from before this moment, in microseconds. */
export function forgetFailures(writer: Writer, before: number): Awaitable<void> {
  return writer.run(forgetStatement, { before })
}

const insertStatement = statement((build) => {
  const { value } = build
  return sql`insert into failure (name, at, server)
    select r.name, cast(${value('at')} as bigint), ${value('server')}
    from ${rowsOf(build, 'names', { name: 'text' })} where 1 = 1`
})

const elsewhereStatement = statement<Pick<FailureTable, 'id' | 'name' | 'at'>>(
  (build) => sql`
    select failure.id, failure.name, failure.at from ${rowsOf(build, 'known', { name: 'text', after: 'integer' })}
    join failure on failure.name = r.name and failure.id > r.after
    where failure.server <> ${build.value('server')} order by failure.id`,
)

const forgetStatement = statement(({ db, value }) =>
  db.deleteFrom('failure').where('at', '<', value('before')),
)
