// Opening the database for commands and servers.
import type { Command } from 'commander'
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import { readCommandConfig } from './config-options.ts'
import { loadMasterKey } from './master-key-file.ts'
import type { Runtime } from './environment.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** Opens the configured database, runs the work, and closes the database. Never creates one. */
export async function withStore<T>(
  command: Command,
  runtime: Runtime,
  work: (store: Store, cryptoContext: () => Promise<CryptoContext>, config: Config) => Promise<T>,
): Promise<T> {
  const config = readCommandConfig(command, runtime)
  const store = await withDatabaseErrors(
    openStore({ url: config.databaseUrl, canCreate: false, connectionsMax: 2 }),
  )
  try {
    const cryptoContext = async () => {
      const { pepper } = await loadMasterKey(store, config, runtime)
      const { random, clock, hashCost } = runtime
      return { random, clock, hashCost, pepper }
    }
    return await work(store, cryptoContext, config)
  } finally {
    await store.close()
  }
}

/**
 * Runs a server that can be stopped during startup: until `onServing` is called, a stop request aborts the signal, which
 * closes the database connections, and the resulting error is ignored.
 */
export async function runAbortable(
  end: Promise<'asked' | 'broken'>,
  work: (signal: AbortSignal, onServing: () => void) => Promise<void>,
): Promise<void> {
  const abort = new AbortController()
  let isServing = false
  void end.then((reason) => {
    if (reason === 'asked' && !isServing) abort.abort()
  })
  try {
    await work(abort.signal, () => {
      isServing = true
    })
  } catch (error) {
    if (!abort.signal.aborted) throw error
  }
}

/** Reports an unreachable, full or locked database as an `OperatorError` and not as a bug. */
export async function withDatabaseErrors<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `The database cannot be opened: ${reasonOf(error)}`,
      exitCodes.storage,
      error,
    )
  }
}

/** A host name with several addresses has one reason for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
