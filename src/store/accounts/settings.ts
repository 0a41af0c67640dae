// Settings that the server stores about itself, and whether it is set up.
import { deleteReturning, selectWhere, upsertInto } from '../row-statements.ts'
import { command, commandChanges, existsQuery, rowQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import type { Reader } from '../store.ts'

export async function getSetting(reader: Reader, name: string): Promise<string | undefined> {
  return (await findSetting(reader, { name }))?.value
}

export const saveSetting = command(upsertInto('setting', ['name'], ['value']))

/** Deletes a setting that has this value; of several concurrent requests, one gets true. */
export const consumeSetting = commandChanges(deleteReturning('setting', 'name', 'value'))

/** The server is set up when a company with a credential exists, or a user. */
export const isSetUp = existsQuery<NoValues>(
  () => sql`select 1 from credential union all select 1 from "user" limit 1`,
  'everyCompany',
)

const findSetting = rowQuery(selectWhere('setting', ['name']))
