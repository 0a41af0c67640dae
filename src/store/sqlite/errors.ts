// Maps SQLite errors to API errors.
import { SqliteError } from 'better-sqlite3'
import { ApiError, type RequestOutcome } from '../../errors/api-error.ts'
import { outOfRangePrefix, sumOutOfRangeError } from '../../engine/sql/sum-out-of-range.ts'

/** Maps the errors of one open database. After a storage error nothing more may be written to it. */
export class DatabaseErrors {
  readonly #onStorageError: ((error: unknown) => void) | undefined
  #isBroken = false

  /** `onStorageError` is called at the first error that shows that the file may be corrupt. */
  constructor(onStorageError: ((error: unknown) => void) | undefined) {
    this.#onStorageError = onStorageError
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  map(error: unknown, outcome: RequestOutcome): unknown {
    if (isStorageError(error) && !this.#isBroken) {
      this.#isBroken = true
      this.#onStorageError?.(error)
    }
    return toSqliteApiError(error, outcome) ?? error
  }

  /** Runs work that nobody waits for, so that its error is only reported to the server. */
  runReporting(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.map(error, 'not_applied')
    }
  }
}

/** The API error for an error of SQLite; null for any other error, which is a bug. */
function toSqliteApiError(error: unknown, outcome: RequestOutcome): ApiError | null {
  if (error instanceof TypeError && error.message === 'The database connection is not open') return closedError(error)
  if (!(error instanceof SqliteError)) return null
  const { code } = error
  const options = { outcome, cause: error }
  if (isBusy(error)) return busyError(outcome, error)
  // A commit has failed before its last frame was in the write-ahead log, and SQLite has rolled back.
  if (code === 'SQLITE_FULL') return new ApiError('StorageFull', { cause: error, headers: retryLater })
  if (isStorageError(error)) return new ApiError('StorageError', { ...options, headers: retryLater })
  return null
}

export function busyError(outcome: RequestOutcome, cause?: unknown): ApiError {
  return new ApiError('DatabaseBusy', { outcome, cause, headers: retrySoon })
}

/** The store was closed before, so nothing was done. */
export function closedError(cause?: unknown): ApiError {
  return new ApiError('DatabaseUnavailable', { outcome: 'not_applied', cause, headers: retrySoon })
}

/** Another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
}

/** An error after which nothing may be written: the process has to be restarted. */
function isStorageError(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN)/.test(error.code)
}

export function isConstraintViolation(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')
}

/** An error of a statement, for another thread or process. */
export interface ErrorDescription {
  readonly code: string
  readonly message: string
}

export function describeError(error: unknown): ErrorDescription {
  const message = error instanceof Error ? error.message : String(error)
  // A sum out of range is the only API error that a statement throws.
  if (error instanceof ApiError) return { code: outOfRangePrefix, message }
  return { code: error instanceof SqliteError ? error.code : 'UNKNOWN', message }
}

export function toDescribedError({ code, message }: ErrorDescription): Error {
  return code === outOfRangePrefix ? sumOutOfRangeError() : new SqliteError(message, code)
}

const retrySoon = { 'Retry-After': '1' }
const retryLater = { 'Retry-After': '30' }
