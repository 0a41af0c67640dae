// One server at a time on a SQLite file: the lock lies beside it, and goes with the process that holds it.
import { mkdirSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'

export interface ServeLock {
  release(): void
}

/**
 * Takes the lock of the file at `path`. Commands do not ask for it: they work beside
 * a server. Throws an `OperatorError` (78) that says who holds it.
 */
export const lockForServing = (path: string): ServeLock => {
  mkdirSync(dirname(path), { recursive: true })
  // A write lock of SQLite's own on a file beside the database: no kill can leave it behind.
  const lock = new Database(`${realPath(path)}.serve`, { timeout: 0 })
  try {
    introduce(lock)
    lock.exec('begin immediate')
  } catch (error) {
    const holder = holderOf(lock)
    lock.close()
    if (!(error instanceof SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw new OperatorError(
      `Another server${holder} serves ${path} already. Stop it first; commands work beside it.`,
      exitCodes.configuration,
    )
  }
  return { release: () => lock.close() }
}

/** Two names of one file are one lock; the file itself may not exist yet. */
const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return join(realpathSync(dirname(path)), basename(path))
  }
}

/** Written before the lock is taken, for while it is held others see only what was stored before. */
const introduce = (lock: Database.Database): void => {
  lock.exec('create table if not exists holder (pid integer, host text)')
  lock.exec('begin immediate')
  lock.exec('delete from holder')
  lock.prepare('insert into holder values (?, ?)').run(process.pid, hostname())
  lock.exec('commit')
}

/** In words; nothing where two servers start at the very same moment, and the other is not known yet. */
const holderOf = (lock: Database.Database): string => {
  try {
    const holder = lock
      .prepare<[], { pid: number; host: string }>('select pid, host from holder')
      .get()
    return holder === undefined || holder.pid === process.pid
      ? ''
      : ` (process ${holder.pid} on ${holder.host})`
  } catch {
    return ''
  }
}
