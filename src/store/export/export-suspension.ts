// Export suspension: a restored database does not know what was exported after its backup, nor one after a failover what it has lost.
import { getSetting, consumeSetting, saveSetting } from '../accounts/settings.ts'
import type { Reader, Store } from '../store.ts'

/** When exports were suspended, in microseconds; null where they are not. */
export async function exportsSuspendedSince(reader: Reader): Promise<number | null> {
  const value = await getSetting(reader, suspensionSetting)
  return value === undefined ? null : Number(value)
}

/** `at` in microseconds. */
export function suspendExportsSince(store: Store, at: number): Promise<void> {
  return store.inSystemTransaction(async (writer) =>
    saveSetting(writer, { name: suspensionSetting, value: String(at) }),
  )
}

/** Returns whether they were suspended. */
export function resumeExports(store: Store): Promise<boolean> {
  return store.inSystemTransaction(async (writer) => {
    const value = await getSetting(writer, suspensionSetting)
    return value !== undefined && consumeSetting(writer, { name: suspensionSetting, value })
  })
}

/** Its value is when they were suspended. */
export const suspensionSetting = 'exportsSuspended'
