// Request log: the fields of a line, and buffering of lines per turn of the event loop.
import { hostname } from 'node:os'
import type { FastifyReply } from 'fastify'
import type { SentReply } from './load.ts'
import type { Reply } from './request.ts'

export interface LogTarget {
  /** The minimum log level. */
  readonly level: string
  readonly stream: { write(line: string): void }
  /** The number of this worker process, if several share the port. */
  readonly worker?: number
}

/** Options of the framework's logger. */
export function loggerOptions({ level, stream, worker }: LogTarget) {
  return {
    level,
    stream,
    ...errorSerializer,
    ...(worker === undefined ? {} : { base: { pid: process.pid, hostname: hostname(), worker } }),
  }
}

/** Writes one line per reply, with these fields only: no URL, header or body. */
export function logReply(reply: FastifyReply, { status, logContext }: Reply): void {
  const { error, apiError: _, ...fields } = logContext ?? {}
  const line = {
    id: reply.request.id,
    method: reply.request.method,
    // The template, never the URL: that may contain a password.
    route: reply.request.routeOptions.url ?? '-',
    status,
    ms: Math.round(reply.elapsedTime),
    ...fields,
  }
  const { log } = reply.server
  if (error !== undefined) log.error({ ...line, err: error })
  else if (status >= 500) log.warn(line)
  else log.info(line)
}

/** The same as data, for metrics and the API call log. */
export function toSentReply(reply: FastifyReply, { status, logContext = {} }: Reply): SentReply {
  return {
    id: reply.request.id,
    method: reply.request.method,
    route: reply.request.routeOptions.url ?? '-',
    status,
    ms: reply.elapsedTime,
    logContext,
  }
}

/** Logs message and stack only: errors of database drivers carry values and connections. */
const errorSerializer = {
  serializers: {
    err: ({ name, message, stack = '' }: Error) => ({ type: name, message, stack }),
  },
}

/** Buffers lines until the end of the turn: one write for many requests. */
export function bufferLines(print: (text: string) => void): { write(line: string): void } {
  let lines = ''
  const flush = () => {
    print(lines)
    lines = ''
  }
  return {
    write: (line) => {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}
