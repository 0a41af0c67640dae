// Durable files: written whole under their names, and synced with their directory entries.
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { toWriteError } from '../lib/operator-error.ts'

/** The name of a file until it is complete: one for each process. */
export function partialFile(path: string): string {
  return `${path}.${process.pid}.partial`
}

/**
 * Writes a file under its partial name, and gives it its own when it is complete: in place of an existing file, or as a new one,
 * durably. An error leaves no file; that of a disk is a `WriteError`, that of an existing file has the code `EEXIST`.
 */
export async function writeWhole(
  path: string,
  place: 'replace' | 'create',
  write: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = partialFile(path)
  try {
    await write(partial)
    if (place === 'replace') await rename(partial, path)
    else {
      await link(partial, path)
      await syncPath(dirname(path))
    }
  } catch (error) {
    throw toWriteError(error, path) ?? error
  } finally {
    await rm(partial, { force: true })
  }
}

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
