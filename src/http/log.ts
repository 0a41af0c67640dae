// Request log: the fields of a line, and buffering of lines per turn of the event loop.
import { hostname } from 'node:os'
import type { FastifyReply } from 'fastify'
import type { Answered } from './load.ts'
import type { Reply } from './request.ts'

export interface LogTarget {
  /** The minimum log level. */
  readonly level: string
  readonly stream: { write(line: string): void }
  /** The number of this worker process, if several share the port. */
  readonly worker?: number
}

/** Options of the framework's logger. */
export function loggerOf({ level, stream, worker }: LogTarget) {
  return {
    level,
    stream,
    ...causeInLog,
    ...(worker === undefined ? {} : { base: { pid: process.pid, hostname: hostname(), worker } }),
  }
}

/** Writes one line per reply, with these fields only: no URL, header or body. */
export function logAnswer(reply: FastifyReply, { status, about }: Reply): void {
  const { error, refusal: _, ...noted } = about ?? {}
  const line = {
    id: reply.request.id,
    method: reply.request.method,
    // The template, never the URL: that may contain a password.
    route: reply.request.routeOptions.url ?? '-',
    status,
    ms: Math.round(reply.elapsedTime),
    ...noted,
  }
  const { log } = reply.server
  if (error !== undefined) log.error({ ...line, err: error })
  else if (status >= 500) log.warn(line)
  else log.info(line)
}

/** The same as data, for metrics and the API call log. */
export function answered(reply: FastifyReply, { status, about = {} }: Reply): Answered {
  return {
    id: reply.request.id,
    method: reply.request.method,
    route: reply.request.routeOptions.url ?? '-',
    status,
    ms: reply.elapsedTime,
    about,
  }
}

/** Logs message and stack only: errors of database drivers carry values and connections. */
const causeInLog = {
  serializers: {
    err: ({ name, message, stack = '' }: Error) => ({ type: name, message, stack }),
  },
}

/** Buffers lines until the end of the turn: one write for many requests. */
export function lineBuffer(print: (text: string) => void): { write(line: string): void } {
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
