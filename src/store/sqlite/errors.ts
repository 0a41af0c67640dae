// Maps SQLite errors to API errors.
import { SqliteError } from 'better-sqlite3'
import { ApiError, type RequestOutcome } from '../../errors/api-error.ts'

/** The API error for an error of SQLite; null for any other error, which is a bug. */
export function toSqliteApiError(error: unknown, outcome: RequestOutcome): ApiError | null {
  if (!(error instanceof SqliteError)) return null
  const { code } = error
  const options = { outcome, cause: error }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new ApiError('DatabaseBusy', { ...options, headers: retrySoon })
  if (code === 'SQLITE_FULL')
    return new ApiError('StorageFull', { ...options, headers: retryLater })
  if (isStorageError(error))
    return new ApiError('StorageError', { ...options, headers: retryLater })
  return null
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
