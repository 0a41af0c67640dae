// Maps PostgreSQL errors to API errors.
import { DatabaseError } from 'pg'
import { ApiError, type RequestOutcome } from '../../errors/api-error.ts'
import { outOfRangePrefix, sumOutOfRangeError } from '../../engine/sql/sum-out-of-range.ts'

/** The API error for an error of the server or the connection; null for any other error, which is a bug. */
export function toPostgresApiError(error: unknown, outcome: RequestOutcome): ApiError | null {
  if (error instanceof ApiError) return error
  const options = { outcome, cause: error, headers: { 'Retry-After': '1' } }
  if (!(error instanceof DatabaseError))
    return isDisconnected(error) ? new ApiError('DatabaseUnavailable', options) : null
  const code = error.code ?? ''
  if (isTransient(error) || lacksStatement(error) || code === '53300' || code === '55P03')
    return new ApiError('DatabaseBusy', options)
  if (/^(08|57P0|25P03)/.test(code) || isReadOnly(error)) return new ApiError('DatabaseUnavailable', options)
  if (code === '53100') return new ApiError('StorageFull', options)
  if (code === '22P02' && error.message.includes(outOfRangePrefix)) return sumOutOfRangeError(error)
  if (code === '57014') return new ApiError('Timeout', options)
  if (/^(58|XX)/.test(code)) return new ApiError('StorageError', options)
  return null
}

/** A deadlock or a serialization failure: the transaction was rolled back and can be retried. */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')
}

/** The server does not answer or takes no connections at present: a later attempt can succeed. */
export function isUnavailable(error: unknown): boolean {
  const code = toPostgresApiError(error, 'not_applied')?.code
  return code === 'DatabaseUnavailable' || code === 'DatabaseBusy'
}

/** The server accepts no writes: it is a standby, or was made read-only. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, '25006')
}

/**
 * The connection lacks a prepared statement: an earlier query of the same message should have prepared it, and failed in that,
 * as by its time limit while it waited for a lock.
 */
export function lacksStatement(error: unknown): boolean {
  return hasCode(error, '26000')
}

/** Whether the statement failed only because an earlier one of its transaction did. */
export function isConsequence(error: unknown): boolean {
  return hasCode(error, '25P02')
}

/** Whether the error of the server, or the one that caused it, has this SQLSTATE. */
function hasCode(error: unknown, code: string): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof DatabaseError ? error.code === code : hasCode(error.cause, code)
}

/** Of a query without a reply in time, the driver's message too: the server may still run the statement. */
export const replyTimeoutMessage = 'Query read timeout'

/** No server of the URL accepts writes. */
export class NoPrimaryError extends Error {
  constructor(servers: readonly { host: string; port: number; reason: string }[]) {
    super(servers.map(({ host, port, reason }) => `${host}:${port} ${reason}`).join('; '))
  }
}

export function isConstraintViolation(error: unknown): boolean {
  return error instanceof DatabaseError && error.code?.startsWith('23') === true
}

/**
 * Whether the server has rolled the transaction back whose commit failed so: a value, a constraint, a trigger, a conflict or a time
 * limit. After an error of the disk it may have been written, and after the end of the connection too.
 */
export function isRollback(error: unknown): boolean {
  return error instanceof DatabaseError && /^(22|23|P0)|^(40001|40P01|57014)$/.test(error.code ?? '')
}

/** Connection errors of the driver have no SQLSTATE: they are recognized by Node's error code or their message. */
export function isDisconnected(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error instanceof NoPrimaryError ||
      error.message === replyTimeoutMessage ||
      /^(E[A-Z]+|EAI_AGAIN)$/.test('code' in error ? String(error.code) : '') ||
      /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Cannot use a pool after)/.test(
        error.message,
      ))
  )
}
