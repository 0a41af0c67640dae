// Opening the database for commands and servers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from './environment.ts'
import { exitCodes, messageOf, OperatorError, toFileError } from '../lib/operator-error.ts'
import { limits } from '../http/limits.ts'
import { openStore, sqlitePath, type OpenOptions } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** Opens a database for the work, and closes it. Throws an `OperatorError` for one that cannot be opened. */
export async function withOpenStore<T>(options: OpenOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await withDatabaseErrors(openStore(options))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * Opens the database of a server. As long as PostgreSQL is unavailable, tries again with growing pauses until the time
 * limit. Throws an `OperatorError` (70) then, and at once for every other error.
 */
export async function openWhenAvailable(
  options: OpenOptions & { readonly signal: AbortSignal },
  { waitSeconds, runtime }: DatabaseWait,
): Promise<Store> {
  const { url, signal } = options
  const deadlineMs = runtime.monotonicMs() + waitSeconds * 1000
  for (let failures = 1; ; failures++) {
    try {
      return await openStore(options)
    } catch (error) {
      const canRetry = await isServerUnavailable(url, error)
      const pauseMs = Math.min(retryPauseMs(failures), deadlineMs - runtime.monotonicMs())
      if (!canRetry || pauseMs <= 0 || signal.aborted) throw toOpenError(error)
      const when = `trying again in ${Math.ceil(pauseMs / 1000)} s`
      runtime.printMessage(`${toOpenError(error).message}; ${when}\n`)
      await sleep(pauseMs, undefined, { signal })
    }
  }
}

async function isServerUnavailable(url: string, error: unknown): Promise<boolean> {
  if (sqlitePath(url) !== null) return false
  // A server on SQLite does not load the driver.
  const { isUnavailable } = await import('../store/postgres/errors.ts')
  return isUnavailable(error)
}

interface DatabaseWait {
  /** 0 for one attempt. */
  readonly waitSeconds: number
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'printMessage'>
}

/** The pause after so many consecutive failures: 1, 2, 4, and then every 8 seconds. */
export function retryPauseMs(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), 8000)
}

/** Why a server stops: a signal, or a storage error. */
export type StopReason = 'requested' | 'failed'

/**
 * Runs a server that can be stopped during startup: until `onServing` is called, a stop request aborts the signal, which
 * closes the database connections, and the resulting error is ignored. The same happens to a server that still waits for
 * its database after the time limit of a stop.
 */
export async function runAbortable(
  end: Promise<StopReason>,
  work: (signal: AbortSignal, onServing: () => void) => Promise<void>,
): Promise<void> {
  const abort = new AbortController()
  let isServing = false
  void end.then((reason) => {
    if (reason !== 'requested') return
    if (isServing) setTimeout(() => abort.abort(), limits.stopTimeoutMs + graceMs).unref()
    else abort.abort()
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
    throw toOpenError(error)
  }
}

function toOpenError(error: unknown): OperatorError {
  if (error instanceof OperatorError) return error
  const message = `The database cannot be opened: ${reasonOf(error)}`
  return toFileError(error) ?? new OperatorError(message, exitCodes.storage, error)
}

/** Less than the primary process adds to the time limit of its workers. */
const graceMs = 2000

/** A host name with several addresses has one reason for each. */
function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? error.errors.map(reasonOf).join('; ') : messageOf(error)
}
