// Database name: tells the export journal and the backups of this database from those of others.
import { getSetting, saveSetting } from './accounts/settings.ts'
import type { Store } from './store.ts'

/** The unique name of this database; created once and included in every backup. */
export function getDatabaseName(
  store: Store,
  { random }: { readonly random: (bytes: number) => Buffer },
): Promise<string> {
  return store.inSystemTransaction(async (writer) => {
    const known = await getSetting(writer, databaseNameSetting)
    if (known !== undefined) return known
    const made = random(16).toString('hex')
    await saveSetting(writer, { name: databaseNameSetting, value: made })
    return made
  })
}

export const databaseNameSetting = 'database'
