// Commands that work in the database of a running or a resting server.
import type { Command } from 'commander'
import type { MasterKey } from '../auth/tokens/master-key.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import { configOf } from './config-options.ts'
import { masterKeyOf } from './master-key-file.ts'
import type { World } from './environment.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'

/** Opens the database that the command is configured for, and closes it after the work. It never makes one. */
export async function withStore<T>(
  command: Command,
  world: World,
  work: (store: Store, minting: () => Promise<Minting>, config: Config) => Promise<T>,
): Promise<T> {
  const config = configOf(command, world)
  const store = await reached(
    openStore({ url: config.databaseUrl, isCreating: false, connectionsMax: 2 }),
  )
  try {
    const minting = async () => mintingOf(world, await masterKeyOf(store, config, world))
    return await work(store, minting, config)
  } finally {
    await store.close()
  }
}

function mintingOf({ random, clock, hashCost }: World, { pepper }: MasterKey): Minting {
  return {
    random,
    clock,
    hashCost,
    pepper,
  }
}

/**
 * Runs a server that can be stopped while it starts: as long as `onServing` was not called, a request to end aborts the
 * signal, which closes the connections to the database, and the error that follows is ignored.
 */
export async function untilAsked(
  end: Promise<'asked' | 'broken'>,
  work: (signal: AbortSignal, onServing: () => void) => Promise<void>,
): Promise<void> {
  const asked = new AbortController()
  let isServing = false
  void end.then((reason) => {
    if (reason === 'asked' && !isServing) asked.abort()
  })
  try {
    await work(asked.signal, () => {
      isServing = true
    })
  } catch (error) {
    if (!asked.signal.aborted) throw error
  }
}

/** A database that is away, full or closed to us is no bug of ours: it is told in words. */
export async function reached<T>(opening: Promise<T>): Promise<T> {
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

/** Where a name has several addresses, each of them has its own reason. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
