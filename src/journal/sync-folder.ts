// What a file's name needs to outlive a loss of power.
import { open } from 'node:fs/promises'

/** A new file survives a loss of power once its folder does. Throws what the file system says. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
