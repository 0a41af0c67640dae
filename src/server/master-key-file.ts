// Loads the master key and checks that it belongs to the database.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateMasterKey, parseMasterKey, type MasterKey } from '../auth/tokens/master-key.ts'
import { createDataFolder } from './config-options.ts'
import type { ServerRuntime } from './environment.ts'
import { readSecretFile } from '../config/read-config.ts'
import { writeWhole } from '../journal/durable-files.ts'
import { configurationError } from '../lib/operator-error.ts'
import { variableName, type Config } from '../config/settings.ts'
import { getSetting, saveSetting } from '../store/accounts/settings.ts'
import { sqlitePath } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/**
 * Returns the master key of the database. The first key used with a database is bound to it; with SQLite it is generated
 * once in the data folder. Throws an `OperatorError` (78) for a missing or wrong key.
 */
export async function loadMasterKey(store: Store, config: Config, runtime: ServerRuntime): Promise<MasterKey> {
  const expected = await getSetting(store, checkSetting)
  const key =
    config.masterKey === ''
      ? await readOrGenerateKey(config, runtime, expected !== undefined)
      : parseOrThrow(config.masterKey, 'The master key that is set')
  if (expected === undefined)
    await store.inSystemTransaction((writer) => saveSetting(writer, { name: checkSetting, value: key.checkValue }))
  else if (expected !== key.checkValue)
    throw configurationError(
      'The master key does not belong to this database, so its passwords and keys cannot be verified. Restore the correct key.',
    )
  return key
}

/** Whether a master key has been used with this database. */
export async function hasMasterKey(store: Store): Promise<boolean> {
  return (await getSetting(store, checkSetting)) !== undefined
}

/** Several servers can share one PostgreSQL database, so none of them may generate a key. */
export function requireMasterKey({ databaseUrl, masterKey }: Config): void {
  if (masterKey === '' && sqlitePath(databaseUrl) === null)
    throw configurationError(
      `PostgreSQL requires a master key: set ${variableName('masterKeyFile')} or ${variableName('masterKey')}. "dagsverk key master" generates one; all servers of one database use the same key.`,
    )
}

/** In the data folder; backups do not contain it. */
export function masterKeyPath({ dataDir }: Config): string {
  return join(dataDir, 'master.key')
}

const checkSetting = 'masterKeyCheck'

async function readOrGenerateKey(config: Config, runtime: ServerRuntime, isNeeded: boolean): Promise<MasterKey> {
  const path = masterKeyPath(config)
  requireMasterKey(config)
  if (existsSync(path)) return readKey(path)
  if (isNeeded)
    throw configurationError(
      `The master key of this database is missing: restore it to ${path}, or set ${variableName('masterKeyFile')}.`,
    )
  createDataFolder(config)
  if (await createKeyFile(path, generateMasterKey(runtime.random)))
    runtime.printMessage(`Generated the master key ${path}. Keep a copy with your backups; they do not contain it.\n`)
  return readKey(path)
}

/**
 * The file appears when it is complete and durable: the database is bound to the key, and no credential works without it.
 * False where another process has created one meanwhile, which stays.
 */
async function createKeyFile(path: string, text: string): Promise<boolean> {
  try {
    await writeWhole(path, 'create', (partial) => writeFile(partial, `${text}\n`, { mode: 0o600, flush: true }))
    return true
  } catch (error) {
    if (existsSync(path)) return false
    throw error
  }
}

function readKey(path: string): MasterKey {
  return parseOrThrow(readSecretFile(path, 'The master key'), path)
}

function parseOrThrow(text: string, what: string): MasterKey {
  const key = parseMasterKey(text)
  if (key === null) throw configurationError(`${what} is not 32 bytes in base64.`)
  return key
}
