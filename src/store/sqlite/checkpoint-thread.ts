// Checkpoint thread: the program of the checkpointer, with a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import Database, { SqliteError } from 'better-sqlite3'

/** What a checkpoint failed with, as SQLite says it; null for a checkpoint that succeeded. */
export type CheckpointResult = { readonly code: string; readonly message: string } | null

function copyLog(database: Database.Database): CheckpointResult {
  try {
    database.pragma('wal_checkpoint(passive)')
    return null
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
    return { code: error.code, message: error.message }
  }
}

const database = new Database(String(workerData), { fileMustExist: true })
// SQLite keeps a few pages of the file; a checkpoint needs none of them.
database.pragma('cache_size = -64')
database.pragma('synchronous = FULL')
parentPort?.on('message', () => parentPort?.postMessage(copyLog(database), []))
