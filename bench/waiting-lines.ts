// The cost of each step of material lines while 10,000 to 1,000,000 others wait for export.
import { figure } from './figure.ts'
import { peakMbOf, residentMbOf, resetPeak } from './machine.ts'
import type { MaterialClient } from './material-clients.ts'
import { MeasuredCalls } from './measured-calls.ts'
import { defaultLineCounts } from './options.ts'
import type { BenchmarkResult } from './report.ts'
import { usageOf } from './rows.ts'
import type { BenchmarkRun } from './servers.ts'

/** One result for each number of waiting lines, and the least of all acknowledgement speeds. */
export async function waitingResults(
  { options: { lines: counts }, log }: BenchmarkRun,
  client: MaterialClient,
): Promise<BenchmarkResult[]> {
  const waiting: number[] = []
  const speeds: WaitingSpeeds[] = []
  for (const count of counts) {
    log(`material of ${client.server.name}, ${figure(count)} lines wait`)
    speeds.push(await speedsAt(client, count, waiting))
  }
  const least = Math.min(...speeds.map(({ acknowledge }) => acknowledge))
  const most = Math.max(...speeds.map(({ acknowledge }) => acknowledge))
  const isGoal = client.server.name === 'dagsverk' && counts.join(',') === defaultLineCounts
  const { name } = client.server
  return [
    ...speeds.map((each) => speedResult(name, each)),
    {
      title: `${name}: lines acknowledged per CPU second, at least`,
      value: least,
      unit: '',
      detail: `at most ${figure(most)}: ${figure(most / least)} times as many`,
      ...(isGoal ? { goal: 'acknowledgedLines' as const } : {}),
    },
  ]
}

interface WaitingSpeeds {
  readonly count: number
  /** Lines per second of the server's CPU. */
  readonly register: number
  readonly approve: number
  readonly retrieve: number
  readonly acknowledge: number
  readonly retrievedMb: number
  readonly memoryMb: number
}

/** How many calls of each kind are measured at least. */
const measuredCalls = 5

/** Adds lines until `count` remain waiting when the measured calls have acknowledged theirs. */
async function speedsAt(client: MaterialClient, count: number, waiting: number[]): Promise<WaitingSpeeds> {
  const { server } = client
  const callLines = Math.min(10_000, count)
  const [register, approve, retrieve, acknowledge] = [
    new MeasuredCalls(server),
    new MeasuredCalls(server),
    new MeasuredCalls(server),
    new MeasuredCalls(server),
  ]
  while (waiting.length < count + measuredCalls * callLines) {
    const lines = Array.from({ length: callLines }, (_, index) => usageOf(index))
    const ids = await register.measure(() => client.register(lines))
    await approve.measure(() => client.approve(ids))
    for (const id of ids) waiting.push(id)
  }
  resetPeak(server.pid)
  const idleMb = residentMbOf(server.pid) ?? Number.NaN
  const retrieved = await retrieve.measure(() => client.retrieve())
  if (retrieved.lines !== waiting.length)
    throw new Error(`retrieved ${retrieved.lines} lines instead of ${waiting.length}`)
  const memoryMb = (peakMbOf(server.pid) ?? Number.NaN) - idleMb
  for (let call = 0; call < measuredCalls; call++) {
    const ids = waiting.splice(0, callLines)
    await acknowledge.measure(() => client.acknowledge(ids))
  }
  return {
    count,
    register: speedOf(register, callLines),
    approve: speedOf(approve, callLines),
    retrieve: speedOf(retrieve, retrieved.lines),
    acknowledge: speedOf(acknowledge, callLines),
    retrievedMb: retrieved.bytes / 1e6,
    memoryMb,
  }
}

function speedOf(calls: MeasuredCalls, linesPerCall: number): number {
  const { requests, cpuSeconds } = calls.result()
  return cpuSeconds === null ? Number.NaN : (requests * linesPerCall) / cpuSeconds
}

function speedResult(name: string, speeds: WaitingSpeeds): BenchmarkResult {
  const { count, register, approve, retrieve, acknowledge, retrievedMb, memoryMb } = speeds
  return {
    title: `${name}: lines acknowledged per CPU second, ${figure(count)} waiting`,
    value: acknowledge,
    unit: '',
    detail: [
      `register ${figure(register)}, approve ${figure(approve)}, retrieve ${figure(retrieve)}`,
      `the list has ${figure(retrievedMb)} MB, its retrieval used ${figure(memoryMb)} MB more`,
    ].join('; '),
  }
}
