// Request log: the fields of a line, and buffering of lines per turn of the event loop.
import { hostname } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import type { LogContext } from './request.ts'

/** A reply when its headers are sent, for the log, metrics and the API call log. */
export interface SentReply {
  /** The request id. */
  readonly id: string
  readonly method: string
  /** The route template, or the set of an OData path, never the URL, which may contain a password; `-` for neither. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly logContext: LogContext
}

export interface LogTarget {
  /** The minimum log level. */
  readonly level: string
  readonly stream: { write(line: string): void }
  /** Microseconds since 1970. */
  readonly clock: () => number
  /** The number of this worker process, if several share the port. */
  readonly worker?: number
}

/** Options of the framework's logger. */
export function loggerOptions(target: LogTarget) {
  const { level, stream } = target
  return { level, stream, base: processFields(target), serializers: { err: serializeError } }
}

/**
 * Writes one line per reply, with these fields only: no URL, header or body. It is byte for byte the line that the
 * framework's logger would write, which takes longer (ADR 0013); errors are left to it.
 */
export function createRequestLog(target: LogTarget, logger: FastifyBaseLogger): (sent: SentReply) => void {
  const { stream, clock } = target
  const ofProcess = JSON.stringify(processFields(target)).slice(1, -1)
  return ({ id, method, route, status, ms, logContext }) => {
    const { companyId, credentialId, code, reason, error } = logContext
    if (error !== undefined) {
      const { apiError: _, error: err, ...fields } = logContext
      logger.error({ id, method, route, status, ms: Math.round(ms), ...fields, err })
      return
    }
    const { number, writtenAt } = status >= 500 ? warning : information
    // Read for each line: a reload may change it.
    if (!writtenAt.has(logger.level)) return
    let line = `{"level":${number},"time":${Math.floor(clock() / 1000)},${ofProcess},"id":"${id}"`
    line += `,"method":"${method}","route":${JSON.stringify(route)},"status":${status}`
    line += `,"ms":${Math.round(ms)}`
    if (companyId !== undefined) line += `,"companyId":${companyId}`
    if (credentialId !== undefined) line += `,"credentialId":${JSON.stringify(credentialId)}`
    if (code !== undefined) line += `,"code":${JSON.stringify(code)}`
    if (reason !== undefined) line += `,"reason":${JSON.stringify(reason)}`
    stream.write(`${line}}\n`)
  }
}

/** Fields of every line. */
function processFields({ worker }: LogTarget) {
  const fields = { pid: process.pid, hostname: hostname() }
  return worker === undefined ? fields : { ...fields, worker }
}

/** Numbers of the log levels, and the minimum levels at which their lines are written. */
const information = { number: 30, writtenAt: new Set(['trace', 'debug', 'info']) }
const warning = { number: 40, writtenAt: new Set([...information.writtenAt, 'warn']) }

/** Logs message and stack only: errors of database drivers carry values and connections. */
function serializeError(error: Error) {
  const { name, message, stack = '' } = error
  const errors: readonly Error[] = error instanceof AggregateError ? error.errors.slice(0, loggedErrorsMax) : []
  return {
    type: name,
    message,
    stack,
    ...(errors.length === 0 ? {} : { aggregateErrors: errors.map((one): object => serializeError(one)) }),
  }
}

/** Of an `AggregateError`: all companies fail at once where the database is not available. */
const loggedErrorsMax = 10

/**
 * Writes lines to a pipe, and drops them while 1 MiB waits there for a program that does not read: a log must not use up the
 * memory of the server. Reports the loss to people.
 */
export function dropUnread(
  pipe: { readonly writableLength: number },
  write: (lines: string) => void,
  report: (message: string) => void,
): (lines: string) => void {
  let dropped = 0
  return (lines) => {
    if (pipe.writableLength >= unreadMax) {
      if (dropped === 0) report('Nobody reads standard output: lines of the log are lost until somebody does.\n')
      dropped += lines.split('\n').length - 1
      return
    }
    if (dropped > 0) report(`Standard output is read again: ${dropped} lines of the log were lost.\n`)
    dropped = 0
    write(lines)
  }
}

const unreadMax = 1024 * 1024

/** Buffers lines until the end of the turn: one write for many requests. What cannot be written is lost: a full disk stops no request. */
export function bufferLines(print: (text: string) => void): { write(line: string): void } {
  let lines = ''
  let lineEnd = ''
  const flush = () => {
    const text = lineEnd + lines
    lines = ''
    try {
      print(text)
      lineEnd = ''
    } catch {
      // Its beginning may have been written.
      lineEnd = '\n'
    }
  }
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}
