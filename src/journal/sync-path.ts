// Durable files and directory entries.
import { open } from 'node:fs/promises'

/**
 * Syncs the content of a file, or of a folder so that its new files survive a power loss. Throws the error of the file
 * system.
 */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
