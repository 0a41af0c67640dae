// Commands that work in the database of a running or a resting server.
import type { Command } from 'commander'
import type { MasterKey } from '#auth/master-key.ts'
import { configOf } from '#cli/configured.ts'
import { masterKeyOf } from '#cli/master-key-file.ts'
import type { World } from '#cli/world.ts'
import { openStore } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'

/** Opens the database that the command is configured for, and closes it after the work. It never makes one. */
export const withStore = async <T>(
  command: Command,
  world: World,
  work: (store: Store, masterKey: () => Promise<MasterKey>) => Promise<T>,
): Promise<T> => {
  const config = configOf(command, world)
  const store = await openStore({ url: config.databaseUrl, isCreating: false, connectionsMax: 2 })
  try {
    return await work(store, () => masterKeyOf(store, config, world))
  } finally {
    await store.close()
  }
}
