// Export suspension: a restored database does not know what was exported after its backup.
import { getSetting, consumeSetting } from '../accounts/settings.ts'
import type { Reader, Store } from '../store.ts'

/** When exports were suspended, in microseconds; null where they are not. */
export async function exportsSuspendedSince(reader: Reader): Promise<number | null> {
  const value = await getSetting(reader, name)
  return value === undefined ? null : Number(value)
}

/** Returns whether they were suspended. */
export function resumeExports(store: Store): Promise<boolean> {
  return store.inSystemTransaction(async (writer) => {
    const value = await getSetting(writer, name)
    return value !== undefined && consumeSetting(writer, { name, value })
  })
}

const name = 'exportsSuspended'
