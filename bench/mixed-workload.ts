// The mixed workload: 32 writers, 64 pollers and a streaming reader side by side, and how long anybody waits.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DagsverkServer } from './dagsverk.ts'
import { figure } from './figure.ts'
import type { GoalName } from './goals.ts'
import { LoadGenerator } from './load-generator.ts'
import type { LoadMeasurement } from './load-job.ts'
import { anonymousMbOf, residentMbOf } from './machine.ts'
import type { BenchmarkResult } from './report.ts'
import { slopeOf } from './statistics.ts'

export interface MixedLoad {
  readonly results: BenchmarkResult[]
  readonly problems: string[]
}

/** The goals are for two minutes. */
const goalSeconds = 120

export async function measureMixedWorkload(server: DagsverkServer, seconds: number): Promise<MixedLoad> {
  const clients = mixedCases.map((name) => ({ name, generator: new LoadGenerator() }))
  const log = watchLog(join(server.installation.dataFolder, 'dagsverk.db-wal'))
  const memory = watchMemory(server.pid)
  const { dialect, size, port } = server
  const target = { dialect, size, seed: 1, port, serverPid: 0, warmUpMs: 0, isDraining: true }
  try {
    const measurements = await Promise.all(
      clients.map(({ name, generator }) => generator.measure({ ...target, case: name, durationMs: seconds * 1000 })),
    )
    const { results, problems } = mixedLoad(measurements, log.stop(), seconds)
    return { results: [...results, memory.stop()], problems }
  } finally {
    log.stop()
    memory.stop()
    for (const { generator } of clients) generator.close()
  }
}

const mixedCases = ['upsert', 'poll100', 'stream'] as const

/** Reads the size of the write-ahead log ten times a second. `stop` returns the largest, in MB. */
function watchLog(file: string): { readonly stop: () => number } {
  let largest = 0
  const timer = setInterval(() => {
    largest = Math.max(largest, statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  }, 100)
  return {
    stop: () => {
      clearInterval(timer)
      return largest / 2 ** 20
    },
  }
}

/**
 * Reads the anonymous memory once a second, because resident files such as Node itself are shared and can be dropped.
 * `stop` returns how fast it grew in the second half.
 */
function watchMemory(pid: number): { readonly stop: () => BenchmarkResult } {
  const samples: number[] = []
  const timer = setInterval(() => {
    const anonymousMb = anonymousMbOf(pid)
    if (anonymousMb !== null) samples.push(anonymousMb)
  }, 1000)
  return {
    stop: () => {
      clearInterval(timer)
      return {
        title: 'mixed workload: growth of the anonymous memory in the second half',
        value: 3600 * slopeOf(samples.slice(samples.length / 2)),
        unit: ' MB/h',
        detail: `${figure(samples[0] ?? 0)} MB at first, ${figure(samples.at(-1) ?? 0)} MB at last, ${figure(residentMbOf(pid) ?? 0)} MB with files`,
      }
    },
  }
}

function mixedLoad(measurements: readonly LoadMeasurement[], logMb: number, seconds: number): MixedLoad {
  const rejected = measurements.reduce((sum, each) => sum + each.rejected, 0)
  const rejection = measurements.find((each) => each.rejected > 0)?.firstRejection
  const longestMs = measurements.slice(0, 2).map((each) => each.longestMs)
  const [writes, polls, streams] = measurements.map((each) => figure(each.requests))
  const detail = `${writes} writes, ${polls} polls, ${streams} streams in ${figure(seconds)} s`
  const result = (title: string, value: number, unit: string, goal: GoalName) => ({
    title: `mixed workload: ${title}`,
    value,
    unit,
    detail,
    ...(seconds >= goalSeconds ? { goal } : {}),
  })
  return {
    results: [
      result('requests rejected', rejected, '', 'mixedRejections'),
      result('largest write-ahead log', logMb, ' MB', 'mixedLog'),
      result('longest wait of a writer or poller', Math.max(...longestMs), ' ms', 'mixedWait'),
    ],
    problems: rejected === 0 ? [] : [`mixed: ${rejected} requests were rejected: ${rejection}`],
  }
}
