// Files in place: whether the paths of an open database still lead to the files that SQLite has open.
import { statSync } from 'node:fs'
import { SqliteError } from 'better-sqlite3'
import { realPath } from './serve-lock.ts'

/**
 * SQLite goes on with a file that was moved, deleted or exchanged, and nobody would find by its path what is written from
 * then on.
 */
export class FilesInPlace {
  readonly #paths: readonly string[]
  #inodes: readonly number[] | null = null

  /** The path of the database, which is open; its log is beside the file that a symbolic link leads to. */
  constructor(path: string) {
    this.#paths = [path, `${realPath(path)}-wal`]
  }

  /** Called inside of a transaction, when the write-ahead log exists. Throws an error of SQLite that ends the server. */
  assert(): void {
    const inodes = this.#paths.map((path) => statSync(path, { throwIfNoEntry: false })?.ino ?? 0)
    this.#inodes ??= inodes
    const changed = this.#paths.find((_, index) => inodes[index] !== this.#inodes?.[index])
    if (changed !== undefined)
      throw new SqliteError(`${changed} was moved, deleted or exchanged while it was open`, 'SQLITE_IOERR_VNODE')
  }
}
