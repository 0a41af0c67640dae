// Maps SQLite errors to API errors.
import { SqliteError } from 'better-sqlite3'
import { ApiError, type RequestOutcome } from '../../errors/api-error.ts'

/** The API error for an error of SQLite; null for any other error, which is a bug. */
export function toSqliteApiError(error: unknown, outcome: RequestOutcome): ApiError | null {
  if (!(error instanceof SqliteError)) return null
  const { code } = error
  const options = { outcome, cause: error }
  if (isBusy(error)) return busyError(outcome, error)
  // A commit has failed before its last frame was in the write-ahead log, and SQLite has rolled back.
  if (code === 'SQLITE_FULL')
    return new ApiError('StorageFull', { cause: error, headers: retryLater })
  if (isStorageError(error))
    return new ApiError('StorageError', { ...options, headers: retryLater })
  return null
}

export function busyError(outcome: RequestOutcome, cause?: unknown): ApiError {
  return new ApiError('DatabaseBusy', { outcome, cause, headers: retrySoon })
}

/** Another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code)
}

/** An error after which nothing may be written: the process has to be restarted. */
export function isStorageError(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN)/.test(error.code)
}

export function isConstraintViolation(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')
}

const retrySoon = { 'Retry-After': '1' }
const retryLater = { 'Retry-After': '30' }
