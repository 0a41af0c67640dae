// What the server knows of itself: its settings, and whether it has an owner.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'

export async function readSetting(reader: Reader, name: string): Promise<string | undefined> {
  return (await reader.first(readSettingStatement, { name }))?.value
}

export function writeSetting(writer: Writer, name: string, value: string): Awaitable<void> {
  return writer.run(writeSettingStatement, { name, value })
}

/** Deletes a setting as long as it has this value; of several who try at once, one is told that it did. */
export async function takeSetting(writer: Writer, name: string, value: string): Promise<boolean> {
  return (await writer.first(takeSettingStatement, { name, value })) !== undefined
}

/** The server counts as set up when a company with a credential, or a user, exists, however made. */
export async function isSetUp(reader: Reader): Promise<boolean> {
  return (
    (await reader.first(anyCredentialStatement, {})) !== undefined ||
    (await reader.first(anyUserStatement, {})) !== undefined
  )
}

const readSettingStatement = statement<{ value: string }>(({ db, value }) =>
  db.selectFrom('setting').select('value').where('name', '=', value('name')),
)

const writeSettingStatement = statement(({ db, value, values }) =>
  db
    .insertInto('setting')
    .values(values('name', 'value'))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: value('value') })),
)

const takeSettingStatement = statement<{ name: string }>(({ db, value }) =>
  db
    .deleteFrom('setting')
    .where('name', '=', value('name'))
    .where('value', '=', value('value'))
    .returning('name'),
)

const anyCredentialStatement = statement<{ id: string }>(({ db }) =>
  db.selectFrom('credential').select('id').limit(1),
)

const anyUserStatement = statement<{ id: number }>(({ db }) =>
  db.selectFrom('user').select('id').limit(1),
)
