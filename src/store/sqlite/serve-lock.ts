// Serve lock: one server at a time on a SQLite file; the lock ends with the process that holds it.
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { configurationError } from '../../lib/operator-error.ts'

export interface ServeLock {
  /** Whether the row of the last holder still exists: it was killed, or found the file damaged. */
  readonly isStale: boolean
  /** `isSound`: the next holder need not check the file. */
  release(isSound: boolean): void
}

/**
 * Acquires the lock of the file at `path`. Commands do not need it: they may run while a server runs. Throws an
 * `OperatorError` (78) that names the holder.
 */
export function acquireServeLock(path: string): ServeLock {
  mkdirSync(dirname(path), { recursive: true })
  // A write lock of SQLite on a second file, which the operating system releases when the process is killed.
  const lock = new Database(`${realPath(path)}.serve`, { timeout: 0 })
  let isLeftOver: boolean
  try {
    isLeftOver = insertHolder(lock)
    lock.exec('begin immediate')
  } catch (error) {
    const holder = describeHolder(lock)
    lock.close()
    if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw configurationError(
      `Another server${holder} is running on ${path}. Stop it first; only commands may run at the same time.`,
    )
  }
  return {
    isStale: isLeftOver,
    release: (isSound) => {
      try {
        lock.exec('rollback')
        if (isSound) lock.exec('delete from holder')
      } catch (error) {
        // On a full disk the row stays, and the next holder checks the file without need.
        if (!(error instanceof SqliteError)) throw error
      } finally {
        lock.close()
      }
    },
  }
}

/** Resolves links, so that two names of one file share a lock; neither file nor folder need exist yet. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const folder = dirname(path)
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path
}

/**
 * Inserts this process before the lock is acquired, because others see only committed rows. Returns whether there was a
 * row of another holder.
 */
function insertHolder(lock: Database.Database): boolean {
  lock.exec('create table if not exists holder (pid integer, host text)')
  lock.exec('begin immediate')
  const { changes } = lock.prepare('delete from holder').run()
  lock.prepare('insert into holder values (?, ?)').run(process.pid, hostname())
  lock.exec('commit')
  return changes > 0
}

/** The holder for an error message; empty where the other server has only just started and has no row yet. */
function describeHolder(lock: Database.Database): string {
  try {
    const holder = lock.prepare<[], { pid: number; host: string }>('select pid, host from holder').get()
    return holder === undefined || holder.pid === process.pid ? '' : ` (process ${holder.pid} on ${holder.host})`
  } catch {
    return ''
  }
}
