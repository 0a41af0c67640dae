// Files in place: whether the paths of an open database still lead to the files that SQLite has open.
import { statSync } from 'node:fs'
import { SqliteError } from 'better-sqlite3'
import { realPath } from './serve-lock.ts'

/**
 * SQLite goes on with a file that was moved, deleted or exchanged, and nobody would find by its path what is written from
 * then on.
 */
export class FilesInPlace {
  /** That of the database. */
  readonly inode: number
  readonly #path: string
  readonly #logPath: string
  /** Null before the first transaction: SQLite may still create the log, and another process delete its own. */
  #logInode: number | null = null

  /** The path of the database, which is open; its log is beside the file that a symbolic link leads to. */
  constructor(path: string) {
    this.#path = path
    this.#logPath = `${realPath(path)}-wal`
    this.inode = inodeOf(path)
  }

  /** Called inside of a transaction, when the write-ahead log exists. Throws an error of SQLite that ends the server. */
  assert(): void {
    assertInode(this.#path, this.inode)
    const logInode = inodeOf(this.#logPath)
    this.#logInode ??= logInode
    if (logInode !== this.#logInode) throw changedError(this.#logPath)
  }
}

/** Throws where the path leads to another file than this one, or to none. */
export function assertInode(path: string, inode: number): void {
  if (inodeOf(path) !== inode) throw changedError(path)
}

/** 0 where there is no file. */
function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0
}

function changedError(path: string): Error {
  return new SqliteError(`${path} was moved, deleted or exchanged while it was open`, 'SQLITE_IOERR_VNODE')
}
