// Durable directory entries.
import { open } from 'node:fs/promises'

/** Syncs a folder, so that its new files survive a power loss. Throws the error of the file system. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
