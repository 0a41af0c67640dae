// Last change of a SQLite file: its timestamp, which a server records beside the file (ADR 0016).
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { realPath } from './serve-lock.ts'

/** Written by the server that holds the lock. Not synced: after a power failure it may be older than the database. */
export class LastChangeFile {
  readonly #file: number
  #lastChange: number
  #isWritten = false
  #pause: NodeJS.Timeout | null = null

  /** `lastChange` is that of the database, in microseconds. */
  constructor(path: string, lastChange: number) {
    this.#file = openSync(lastChangePath(path), 'w', 0o600)
    this.#lastChange = lastChange
    this.#write()
  }

  /** Called after each commit; writes at once, and then at most once in a pause. */
  update(lastChange: number): void {
    if (lastChange <= this.#lastChange) return
    this.#lastChange = lastChange
    this.#isWritten = false
    if (this.#pause === null) this.#writeAndPause()
  }

  /** `isClean`: nothing can be missing at the next start. */
  close(isClean: boolean): void {
    clearTimeout(this.#pause ?? undefined)
    if (isClean) ftruncateSync(this.#file)
    else this.#write()
    closeSync(this.#file)
  }

  #writeAndPause(): void {
    this.#write()
    this.#pause = setTimeout(() => {
      this.#pause = null
      if (!this.#isWritten) this.#writeAndPause()
    }, pauseMs)
    this.#pause.unref()
  }

  #write(): void {
    this.#isWritten = true
    try {
      writeSync(this.#file, `${String(this.#lastChange).padStart(textLength)}\n`, 0)
    } catch {
      // On a full disk. The change is stored, and what was written before is still true.
    }
  }
}

/** Exists once a server has opened the file. */
export function lastChangePath(path: string): string {
  return `${realPath(path)}.last-change`
}

/** The last change that a server stored before it was killed, in microseconds; null after a clean shutdown. */
export function readRecordedChange(path: string): number | null {
  const file = lastChangePath(path)
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  return /^\d{1,16}$/.test(text) ? Number(text) : null
}

/** What is recorded is no longer that of this file, which is about to be replaced. */
export function clearRecordedChange(path: string): void {
  const file = lastChangePath(path)
  if (existsSync(file)) closeSync(openSync(file, 'w'))
}

/** The last change of any company in the file, in microseconds; 0 if there is none. Reads only. */
export function readLastChange(path: string): number {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const last = database.prepare('select max("lastTimestamp") from "sequence"').pluck().get()
    return Number(last ?? 0)
  } finally {
    database.close()
  }
}

const textLength = 16
const pauseMs = 100
