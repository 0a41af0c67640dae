// Log lines: what stands in one, and how those of one turn of the event loop leave together.
import { hostname } from 'node:os'
import type { FastifyReply } from 'fastify'
import type { Answered } from './load.ts'
import type { Reply } from './request.ts'

export interface LogTarget {
  /** The least weight of what is written. */
  readonly level: string
  readonly stream: { write(line: string): void }
  /** Which of several processes on one port this is. */
  readonly worker?: number
}

/** What the framework's logger is made of. */
export function loggerOf({ level, stream, worker }: LogTarget) {
  return {
    level,
    stream,
    ...causeInLog,
    ...(worker === undefined ? {} : { base: { pid: process.pid, hostname: hostname(), worker } }),
  }
}

/** One line for each answer. Only what is named here is written: no address, no header, no body. */
export function logAnswer(reply: FastifyReply, { status, about }: Reply): void {
  const { error, refusal: _, ...noted } = about ?? {}
  const line = {
    id: reply.request.id,
    method: reply.request.method,
    // The template, never the address: that may hold a password.
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

/** The same for those who count. */
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

/** Of an error what it says and where it happened: drivers hang values and connections on theirs. */
const causeInLog = {
  serializers: {
    err: ({ name, message, stack = '' }: Error) => ({ type: name, message, stack }),
  },
}

/** Gathers lines for `print` until the end of the turn; one write for many requests. */
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
