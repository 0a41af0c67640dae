// Where the master key comes from, and whether it is the one this database hangs on.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateMasterKey, parseMasterKey, type MasterKey } from '../auth/tokens/master-key.ts'
import { makeDataFolder } from './config-options.ts'
import type { World } from './environment.ts'
import { readSecretFile } from '../config/read-config.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { variable, type Config } from '../config/settings.ts'
import { readSetting, writeSetting } from '../store/accounts/settings.ts'
import { sqlitePath } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/**
 * The master key of the database. The first key a database is opened with becomes its own; with SQLite
 * that key is made, once, in the data folder. Throws an `OperatorError` (78) for a missing or another one.
 */
export async function masterKeyOf(store: Store, config: Config, world: World): Promise<MasterKey> {
  const expected = await readSetting(store, checkSetting)
  const key = givenKey(config) ?? madeKey(config, world, expected !== undefined)
  if (expected === undefined)
    await store.inHouseTransaction((writer) => writeSetting(writer, checkSetting, key.checkValue))
  else if (expected !== key.checkValue)
    throw refused(
      'The master key is not the one of this database: its passwords and keys could not be verified. Put the right one back.',
    )
  return key
}

/** Whether a key was ever used with this database. */
export async function hasMasterKey(store: Store): Promise<boolean> {
  return (await readSetting(store, checkSetting)) !== undefined
}

/** Several servers share one PostgreSQL, so none of them may make a key of its own. */
export function requireMasterKey({ databaseUrl, masterKey }: Config): void {
  if (masterKey === '' && sqlitePath(databaseUrl) === null)
    throw refused(
      `A master key is needed with PostgreSQL: set ${variable('masterKeyFile')} or ${variable('masterKey')}. "dagsverk key master" prints a new one; every server of one database uses the same.`,
    )
}

/** Beside the database, but in no backup of it. */
export function masterKeyPath({ dataDir }: Config): string {
  return join(dataDir, 'master.key')
}

const checkSetting = 'masterKeyCheck'

function givenKey(config: Config): MasterKey | null {
  return config.masterKey === '' ? null : parsed(config.masterKey, 'The master key that is set')
}

function madeKey(config: Config, world: World, isNeeded: boolean): MasterKey {
  const path = masterKeyPath(config)
  requireMasterKey(config)
  if (existsSync(path)) return parsed(readSecretFile(path, 'The master key'), path)
  if (isNeeded)
    throw refused(
      `The master key of this database is missing: put it back at ${path}, or set ${variable('masterKeyFile')}.`,
    )
  const text = generateMasterKey(world.random)
  makeDataFolder(config)
  writeFileSync(path, `${text}\n`, { mode: 0o600, flag: 'wx' })
  world.tell(
    `Made the master key ${path}. Keep a copy of it beside your backups: none of them holds it.\n`,
  )
  return parsed(text, path)
}

function parsed(text: string, what: string): MasterKey {
  const key = parseMasterKey(text)
  if (key === null) throw refused(`${what} is not 32 bytes in base64.`)
  return key
}

function refused(message: string): OperatorError {
  return new OperatorError(message, exitCodes.configuration)
}
