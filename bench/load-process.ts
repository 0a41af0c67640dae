// The load process: keeps a server busy, checks every reply and reports its measurements to load-generator.ts.
import { performance } from 'node:perf_hooks'
import { cases, checkedRequestsOf, type BenchmarkCase } from './cases.ts'
import { HttpConnection, type HttpReply } from './http-client.ts'
import type { LoadCommand, LoadJob, LoadMeasurement, LoadReport } from './load-job.ts'
import { reasonOf } from './program.ts'
import { ReplyCounter } from './reply-counter.ts'
import type { CheckedRequest } from './requests.ts'
import { sampleServerCpu, serverCpuBetween, type ServerCpu } from './server-cpu.ts'
import { quantile } from './statistics.ts'

let stopNow: (() => void) | undefined

process.on('message', (command: LoadCommand) => {
  if (command.type === 'stop') stopNow?.()
  else {
    measure(command.job).then(
      (measurement) => report({ type: 'measured', measurement }),
      (failure: unknown) => report({ type: 'failed', reason: reasonOf(failure) }),
    )
  }
})

// The benchmark was cancelled.
process.on('disconnect', () => process.exit())

function report(loadReport: LoadReport): void {
  process.send?.(loadReport)
}

async function measure(job: LoadJob): Promise<LoadMeasurement> {
  const requests = checkedRequestsOf(job.case, job.dialect, job, await preparedReplies(job))
  const failure = Promise.withResolvers<never>()
  const connections = await Promise.all(
    Array.from({ length: job.connections ?? cases[job.case].connections }, () =>
      HttpConnection.open(job.port, failure.reject),
    ),
  )
  const silence = setTimeout(() => failure.reject(new Error('no reply for 2 min')), silenceMs)
  const load = { requests, connections, silence, fail: failure.reject }
  try {
    return await Promise.race([run(job, load), failure.promise])
  } finally {
    stopNow = undefined
    clearTimeout(silence)
    for (const connection of connections) connection.close()
  }
}

/** Each company's replies to the reads that the requests of this case depend on. */
async function preparedReplies({ case: name, dialect, size, port }: LoadJob): Promise<unknown[][]> {
  const { preparation }: BenchmarkCase = cases[name]
  if (preparation === undefined || dialect === 'baseline') return []
  const prepared: unknown[][] = []
  for (let company = 1; company <= size.companies; company++) {
    const replies: unknown[] = []
    for (const path of preparation(company)) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`)
      if (!reply.ok) throw new Error(`before ${name}: ${reply.status} ${await reply.text()}`)
      replies.push(await reply.json())
    }
    prepared.push(replies)
  }
  return prepared
}

/**
 * Keeps every connection busy until the time is up; the first part of the time is warm-up. The
 * measurement starts and ends with a reply, so that slow requests are not cut in half.
 */
function run(job: LoadJob, { requests, connections, silence, fail }: Load): Promise<LoadMeasurement> {
  const sampleCpu = () => sampleServerCpu(job.serverPid, job.database)
  return new Promise((resolve) => {
    let phase: 'warming' | 'warm' | 'counting' | 'ending' | 'ended' = 'warming'
    let next = 0
    let pending = 0
    let startedAt = 0
    let cpuBefore = sampleCpu()
    const counter = new ReplyCounter()

    const start = () => {
      phase = 'counting'
      startedAt = performance.now()
      cpuBefore = sampleCpu()
      if (job.durationMs !== undefined) setTimeout(end, job.durationMs)
      report({ type: 'started' })
    }

    const end = () => {
      if (phase === 'counting') phase = 'ending'
    }

    const finishIfDue = () => {
      const isDue = phase === 'ending' && (pending === 0 || job.isDraining !== true)
      if (!isDue && counter.replies !== job.replies) return
      phase = 'ended'
      const seconds = (performance.now() - startedAt) / 1000
      resolve(summary(counter, seconds, serverCpuBetween(cpuBefore, sampleCpu())))
    }

    const send = (connection: HttpConnection) => {
      if (phase === 'ended' || next === job.replies) return
      if (phase === 'ending' && job.isDraining === true) return
      const sent = requests[next++ % requests.length]
      if (sent === undefined) throw new Error('a case has no requests')
      const sentAt = performance.now()
      pending++
      connection.send(sent.request, (reply) => {
        pending--
        silence.refresh()
        const mistake = isRejected(reply) ? undefined : mistakeIn(reply, sent)
        if (mistake !== undefined) return fail(new Error(mistake))
        if (phase === 'warm') {
          start()
        } else if (phase === 'counting' || phase === 'ending') {
          const rejection = isRejected(reply) ? textOf(reply) : null
          counter.count(sent.name, reply, performance.now() - sentAt, rejection)
          finishIfDue()
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

interface Load {
  readonly requests: readonly CheckedRequest[]
  readonly connections: readonly HttpConnection[]
  /** Ends the measurement when no reply comes for two minutes. */
  readonly silence: NodeJS.Timeout
  readonly fail: (failure: Error) => void
}

/** The server, or a proxy before it, is overloaded. */
function isRejected({ status }: HttpReply): boolean {
  return [429, 503, 504].includes(status)
}

function textOf({ status, start }: HttpReply): string {
  return `${status} ${start.subarray(0, 300).toString()}`
}

function mistakeIn(reply: HttpReply, expected: CheckedRequest): string | undefined {
  const { request, contains, braces = reply.braces } = expected
  if (reply.status === 200 && reply.braces === braces && reply.start.includes(contains)) return undefined
  const requestLine = request.subarray(0, 400).toString().split('\r\n')[0]
  return (
    `expected 200, ${braces} braces and ${contains.toString()}; ` +
    `got ${reply.braces} braces: ${textOf(reply)} (${requestLine})`
  )
}

function summary(counter: ReplyCounter, seconds: number, cpu: ServerCpu): LoadMeasurement {
  const { timesMs, bytes, rejected, firstRejection, byName } = counter
  const sorted = timesMs.toSorted((a, b) => a - b)
  return {
    ...cpu,
    bytes,
    rejected,
    firstRejection,
    requests: sorted.length,
    seconds,
    perSecond: sorted.length / seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    longestMs: quantile(sorted, 1),
    ...(byName.length === 0 ? {} : { replyCounts: byName }),
  }
}
