// Settings that the server stores about itself, and whether it is set up.
import { deleteReturning, selectWhere, upsertInto } from '../row-statements.ts'
import { command, commandChanges } from '../queries.ts'
import { crossCompanyStatement, statement } from '../statement.ts'
import type { Reader } from '../store.ts'

export async function getSetting(reader: Reader, name: string): Promise<string | undefined> {
  return (await reader.first(getSettingStatement, { name }))?.value
}

export const saveSetting = command(upsertInto('setting', ['name'], ['value']))

/** Deletes a setting that has this value; of several concurrent requests, one gets true. */
export const consumeSetting = commandChanges(deleteReturning('setting', 'name', 'value'))

/** The server is set up when a company with a credential exists, or a user. */
export async function isSetUp(reader: Reader): Promise<boolean> {
  return (
    (await reader.first(anyCredentialStatement, {})) !== undefined ||
    (await reader.first(anyUserStatement, {})) !== undefined
  )
}

const getSettingStatement = statement<{ value: string }>(selectWhere('setting', ['name'], { columns: ['value'] }))

const anyCredentialStatement = crossCompanyStatement<{ id: string }>(({ db }) =>
  db.selectFrom('credential').select('id').limit(1),
)

const anyUserStatement = statement<{ id: number }>(({ db }) => db.selectFrom('user').select('id').limit(1))
