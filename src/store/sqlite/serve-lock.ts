// One server at a time on a SQLite file: the lock lies beside it, and goes with the process that holds it.
import { mkdirSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import Database, { SqliteError } from 'better-sqlite3'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'

export interface ServeLock {
  /** Whether its last holder is still written there: it was killed, or found the file damaged. */
  readonly isLeftOver: boolean
  /** `isSound`: the next holder has nothing to look for. */
  release(isSound: boolean): void
}

/**
 * Takes the lock of the file at `path`. Commands do not ask for it: they work beside
 * a server. Throws an `OperatorError` (78) that says who holds it.
 */
export function lockForServing(path: string): ServeLock {
  mkdirSync(dirname(path), { recursive: true })
  // A write lock of SQLite's own on a file beside the database: no kill can leave it behind.
  const lock = new Database(`${realPath(path)}.serve`, { timeout: 0 })
  let isLeftOver: boolean
  try {
    isLeftOver = introduce(lock)
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
  return {
    isLeftOver,
    release: (isSound) => {
      try {
        lock.exec('rollback')
        if (isSound) lock.exec('delete from holder')
      } catch (error) {
        // On a full disk the holder stays written there, and the next one looks once more than it needs to.
        if (!(error instanceof SqliteError)) throw error
      } finally {
        lock.close()
      }
    },
  }
}

/** Two names of one file are one lock; the file itself may not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return join(realpathSync(dirname(path)), basename(path))
  }
}

/**
 * Written before the lock is taken, for while it is held others see only what was stored before. Tells whether
 * somebody stood there.
 */
function introduce(lock: Database.Database): boolean {
  lock.exec('create table if not exists holder (pid integer, host text)')
  lock.exec('begin immediate')
  const { changes } = lock.prepare('delete from holder').run()
  lock.prepare('insert into holder values (?, ?)').run(process.pid, hostname())
  lock.exec('commit')
  return changes > 0
}

/** In words; nothing where two servers start at the very same moment, and the other is not known yet. */
function holderOf(lock: Database.Database): string {
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
