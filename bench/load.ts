// The load generator: a process of its own that keeps a server busy, checks every answer and says what it measured.
import { performance } from 'node:perf_hooks'
import { cases, exchangesOf, type CaseName, type Dialect, type Exchange } from './cases.ts'
import { Connection, type Answer } from './http-client.ts'
import { cpuSecondsOf } from './machine.ts'
import { quantile } from './statistics.ts'
import type { Size } from './rows.ts'

export interface Job {
  readonly case: CaseName
  readonly dialect: Dialect
  readonly size: Size
  readonly seed: number
  readonly port: number
  /** The process whose CPU time is counted; 0 counts none. */
  readonly serverPid: number
  readonly connections?: number
  readonly warmUpMs: number
  /** Ends after this time, or after this many answers, or (neither) when told to. */
  readonly measureMs?: number
  readonly answers?: number
}

export interface Measurement {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  /** Requests per second of server CPU; null where the system does not tell. */
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
      (failure: unknown) => report({ say: 'failed', why: String(failure) }),
    )
  }
})

function report(what: Report): void {
  process.send?.(what)
}

async function measure(job: Job): Promise<Measurement> {
  const exchanges = exchangesOf(job.case, job.dialect, job.size, job.seed)
  const failure = Promise.withResolvers<never>()
  const connections = await Promise.all(
    Array.from({ length: job.connections ?? cases[job.case].connections }, () =>
      Connection.open(job.port, failure.reject),
    ),
  )
  try {
    return await Promise.race([drive(job, exchanges, connections, failure.reject), failure.promise])
  } finally {
    stopNow = undefined
    for (const connection of connections) connection.close()
  }
}

/**
 * Keeps every connection busy until the time is up; the first part of the time only warms up.
 * The clock starts and ends with an answer, so that slow requests are not cut in half by it.
 */
function drive(
  job: Job,
  exchanges: Exchange[],
  connections: Connection[],
  fail: (failure: Error) => void,
): Promise<Measurement> {
  return new Promise((resolve) => {
    let phase: 'warming' | 'warm' | 'counting' | 'ending' | 'ended' = 'warming'
    let next = 0
    let startedAt = 0
    let cpuBefore: number | null = null
    let bytes = 0
    const timesMs: number[] = []

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

    const count = (tookMs: number, answer: Answer) => {
      timesMs.push(tookMs)
      bytes += answer.bytes
      if (phase !== 'ending' && timesMs.length !== job.answers) return
      phase = 'ended'
      const seconds = (performance.now() - startedAt) / 1000
      const cpuAfter = cpuSecondsOf(job.serverPid)
      const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
      resolve(summary(timesMs, seconds, cpu, bytes))
    }

    const send = (connection: Connection) => {
      const exchange = exchanges[next++ % exchanges.length]
      if (exchange === undefined) throw new Error('a case has no requests')
      const sentAt = performance.now()
      connection.send(exchange.request, (answer) => {
        const mistake = mistakeIn(answer, exchange)
        if (mistake !== undefined) {
          return fail(new Error(`${job.case} of ${job.dialect}: ${mistake}`))
        }
        if (phase === 'warm') {
          start()
        } else if (phase === 'counting' || phase === 'ending') {
          count(performance.now() - sentAt, answer)
        }
        if (phase !== 'ended') send(connection)
      })
    }

    stopNow = end
    if (job.warmUpMs === 0) start()
    else setTimeout(() => (phase = 'warm'), job.warmUpMs)
    for (const connection of connections) send(connection)
  })
}

function mistakeIn(answer: Answer, exchange: Exchange): string | undefined {
  const isRight =
    answer.status === 200 &&
    answer.braces === exchange.braces &&
    answer.start.includes(exchange.contains)
  if (isRight) return undefined
  const asked = exchange.request.subarray(0, 400).toString().split('\r\n')[0]
  return (
    `expected 200, ${exchange.braces} braces and ${exchange.contains.toString()}; ` +
    `got ${answer.status}, ${answer.braces} braces: ${answer.start.subarray(0, 300).toString()} (${asked})`
  )
}

function summary(
  timesMs: number[],
  seconds: number,
  cpuSeconds: number | null,
  bytes: number,
): Measurement {
  const sorted = timesMs.toSorted((a, b) => a - b)
  return {
    requests: sorted.length,
    seconds,
    perSecond: sorted.length / seconds,
    perCpuSecond: cpuSeconds === null || cpuSeconds === 0 ? null : sorted.length / cpuSeconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    longestMs: quantile(sorted, 1),
    bytes,
  }
}
