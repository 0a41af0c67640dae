// The load generator: a process that keeps a server busy, checks every reply and reports its measurements.
import { performance } from 'node:perf_hooks'
import {
  cases,
  exchangesOf,
  type Case,
  type CaseName,
  type Dialect,
  type Exchange,
} from './cases.ts'
import { Connection, type HttpReply } from './http-client.ts'
import { cpuSecondsOf } from './machine.ts'
import { reasonOf } from './program.ts'
import { quantile } from './statistics.ts'
import type { Size } from './rows.ts'

export interface Job {
  readonly case: CaseName
  readonly dialect: Dialect
  readonly size: Size
  readonly seed: number
  readonly port: number
  /** The process whose CPU time is measured; 0 measures none. */
  readonly serverPid: number
  readonly connections?: number
  readonly warmUpMs: number
  /** Ends after this time, after this many replies without a warm-up, or, with neither, at the order `stop`. */
  readonly measureMs?: number
  readonly replies?: number
}

export interface Measurement {
  /** The number of correct replies; rejected requests are counted separately. */
  readonly requests: number
  readonly refused: number
  /** The first error reply, with its status. */
  readonly rejection: string | null
  readonly seconds: number
  readonly perSecond: number
  /** Requests per second of server CPU; null where the system does not provide it. */
  readonly perCpuSecond: number | null
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  readonly bytes: number
}

export type Order = { readonly do: 'measure'; readonly job: Job } | { readonly do: 'stop' }

export type Report =
  | { readonly say: 'started' }
  | { readonly say: 'measured'; readonly measurement: Measurement }
  | { readonly say: 'failed'; readonly why: string }

let stopNow: (() => void) | undefined

process.on('message', (order: Order) => {
  if (order.do === 'stop') stopNow?.()
  else {
    measure(order.job).then(
      (measurement) => report({ say: 'measured', measurement }),
      (failure: unknown) => report({ say: 'failed', why: reasonOf(failure) }),
    )
  }
})

function report(what: Report): void {
  process.send?.(what)
}

async function measure(job: Job): Promise<Measurement> {
  const exchanges = exchangesOf(job.case, job.dialect, job, await repliesBefore(job))
  const failure = Promise.withResolvers<never>()
  const connections = await Promise.all(
    Array.from({ length: job.connections ?? cases[job.case].connections }, () =>
      Connection.open(job.port, failure.reject),
    ),
  )
  const silence = setTimeout(() => failure.reject(new Error('no answer for 2 min')), silenceMs)
  const drivers = { exchanges, connections, silence, fail: failure.reject }
  try {
    return await Promise.race([drive(job, drivers), failure.promise])
  } finally {
    stopNow = undefined
    clearTimeout(silence)
    for (const connection of connections) connection.close()
  }
}

/** Each company's reply to the read that the requests of this case depend on. */
async function repliesBefore({ case: name, dialect, size, port }: Job): Promise<unknown[]> {
  const { before }: Case = cases[name]
  if (before === undefined || dialect === 'floor') return []
  const replies: unknown[] = []
  for (let company = 1; company <= size.companies; company++) {
    const reply = await fetch(`http://127.0.0.1:${port}${before(company)}`)
    if (!reply.ok) throw new Error(`before ${name}: ${reply.status} ${await reply.text()}`)
    replies.push(await reply.json())
  }
  return replies
}

/**
 * Keeps every connection busy until the time is up; the first part of the time is warm-up. The
 * measurement starts and ends with a reply, so that slow requests are not cut in half.
 */
function drive(job: Job, { exchanges, connections, silence, fail }: Drivers): Promise<Measurement> {
  return new Promise((resolve) => {
    let phase: 'warming' | 'warm' | 'counting' | 'ending' | 'ended' = 'warming'
    let next = 0
    let startedAt = 0
    let cpuBefore: number | null = null
    const counted: Counted = { timesMs: [], bytes: 0, refused: 0, rejection: null }

    const start = () => {
      phase = 'counting'
      startedAt = performance.now()
      cpuBefore = cpuSecondsOf(job.serverPid)
      if (job.measureMs !== undefined) setTimeout(end, job.measureMs)
      report({ say: 'started' })
    }

    const end = () => {
      if (phase === 'counting') phase = 'ending'
    }

    const count = (tookMs: number, reply: HttpReply) => {
      if (isRejected(reply)) {
        counted.refused++
        counted.rejection ??= wordsOf(reply)
      } else {
        counted.timesMs.push(tookMs)
        counted.bytes += reply.bytes
      }
      if (phase !== 'ending' && counted.timesMs.length + counted.refused !== job.replies) return
      phase = 'ended'
      const seconds = (performance.now() - startedAt) / 1000
      const cpuAfter = cpuSecondsOf(job.serverPid)
      const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
      resolve(summary(counted, seconds, cpu))
    }

    const send = (connection: Connection) => {
      if (phase === 'ended' || next === job.replies) return
      const exchange = exchanges[next++ % exchanges.length]
      if (exchange === undefined) throw new Error('a case has no requests')
      const sentAt = performance.now()
      connection.send(exchange.request, (reply) => {
        silence.refresh()
        const mistake = isRejected(reply) ? undefined : mistakeIn(reply, exchange)
        if (mistake !== undefined) return fail(new Error(mistake))
        if (phase === 'warm') {
          start()
        } else if (phase === 'counting' || phase === 'ending') {
          count(performance.now() - sentAt, reply)
        }
        send(connection)
      })
    }

    stopNow = end
    if (job.warmUpMs === 0) start()
    else setTimeout(() => (phase = 'warm'), job.warmUpMs)
    for (const connection of connections) send(connection)
  })
}

const silenceMs = 120_000

interface Drivers {
  readonly exchanges: Exchange[]
  readonly connections: Connection[]
  /** Ends the measurement when no reply comes for two minutes. */
  readonly silence: NodeJS.Timeout
  readonly fail: (failure: Error) => void
}

interface Counted {
  readonly timesMs: number[]
  bytes: number
  refused: number
  rejection: string | null
}

/** The server, or a proxy before it, is overloaded. */
function isRejected({ status }: HttpReply): boolean {
  return [429, 503, 504].includes(status)
}

function wordsOf({ status, start }: HttpReply): string {
  return `${status} ${start.subarray(0, 300).toString()}`
}

function mistakeIn(reply: HttpReply, exchange: Exchange): string | undefined {
  const isRight =
    reply.status === 200 &&
    reply.braces === exchange.braces &&
    reply.start.includes(exchange.contains)
  if (isRight) return undefined
  const requestLine = exchange.request.subarray(0, 400).toString().split('\r\n')[0]
  return (
    `expected 200, ${exchange.braces} braces and ${exchange.contains.toString()}; ` +
    `got ${reply.braces} braces: ${wordsOf(reply)} (${requestLine})`
  )
}

function summary(
  { timesMs, ...counted }: Counted,
  seconds: number,
  cpuSeconds: number | null,
): Measurement {
  const sorted = timesMs.toSorted((a, b) => a - b)
  return {
    ...counted,
    requests: sorted.length,
    seconds,
    perSecond: sorted.length / seconds,
    perCpuSecond: cpuSeconds === null || cpuSeconds === 0 ? null : sorted.length / cpuSeconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    longestMs: quantile(sorted, 1),
  }
}
