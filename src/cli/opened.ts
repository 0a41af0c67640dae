// Commands that work in the database of a running or a resting server.
import type { Command } from 'commander'
import type { MasterKey } from '#auth/master-key.ts'
import type { Minting } from '#auth/new-credential.ts'
import { configOf } from '#cli/configured.ts'
import { masterKeyOf } from '#cli/master-key-file.ts'
import type { World } from '#cli/world.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import type { Config } from '#settings.ts'
import { openStore } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'

/** Opens the database that the command is configured for, and closes it after the work. It never makes one. */
export const withStore = async <T>(
  command: Command,
  world: World,
  work: (store: Store, minting: () => Promise<Minting>, config: Config) => Promise<T>,
): Promise<T> => {
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

const mintingOf = ({ random, clock, hashCost }: World, { pepper }: MasterKey): Minting => ({
  random,
  clock,
  hashCost,
  pepper,
})

/** A database that is away, full or closed to us is no bug of ours: it is told in words. */
export const reached = async <T>(opening: Promise<T>): Promise<T> => {
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
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
