// Export suspension: a restored database does not know what was exported after its backup.
import { readSetting, takeSetting } from '../accounts/settings.ts'
import type { Reader, Store } from '../store.ts'

/** When exports were suspended, in microseconds; null where they are not. */
export async function exportsHeldSince(reader: Reader): Promise<number | null> {
  const value = await readSetting(reader, name)
  return value === undefined ? null : Number(value)
}

/** Returns whether they were suspended. */
export function releaseExports(store: Store): Promise<boolean> {
  return store.inHouseTransaction(async (writer) => {
    const value = await readSetting(writer, name)
    return value !== undefined && takeSetting(writer, name, value)
  })
}

const name = 'exportsHeld'
