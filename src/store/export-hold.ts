// Whether exports wait: a restored database does not know what went out after its backup was made.
import { readSetting, takeSetting } from '#store/settings.ts'
import type { Reader, Store } from '#store/store.ts'

/** When they were held, in microseconds; null where they are not. */
export const exportsHeldSince = async (reader: Reader): Promise<number | null> => {
  const value = await readSetting(reader, name)
  return value === undefined ? null : Number(value)
}

/** Gives whether they were held. */
export const releaseExports = (store: Store): Promise<boolean> =>
  store.inHouseTransaction(async (writer) => {
    const value = await readSetting(writer, name)
    return value !== undefined && takeSetting(writer, name, value)
  })

const name = 'exportsHeld'
