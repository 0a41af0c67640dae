// CPU time of processes with all their threads and descendants, from /proc; null without it.
import { readdirSync, readFileSync } from 'node:fs'

/** The CPU times of processes at one moment, by process id. */
export type CpuSample = ReadonlyMap<number, ProcessCpu>

export interface ProcessCpu {
  /** Nanoseconds of each live thread, by thread id. */
  readonly threads: ReadonlyMap<number, number>
  /** Seconds of the process, of ended threads too, in whole ticks of 10 ms. */
  readonly ownSeconds: number
  /** Seconds of its ended children, in whole ticks. */
  readonly endedChildrenSeconds: number
}

/** What processes that did not run yet have used. */
export const noCpu: CpuSample = new Map()

/** Reads the times of the processes and all their descendants. Null where there is no such process. */
export function sampleCpu(pids: readonly number[]): CpuSample | null {
  let sample = processesFrom(pids)
  // A child that ended between the reading of its parent and its own is in neither: repeat until it
  // is in one.
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = sample
    sample = processesFrom(pids)
    if (sample.size === before.size && [...sample.keys()].every((pid) => before.has(pid))) break
  }
  return sample.size === 0 ? null : sample
}

/**
 * The CPU seconds between two samples. Live threads are counted in nanoseconds, as of their last scheduler tick;
 * threads and processes that ended in between, in ticks of 10 ms.
 */
export function cpuSecondsBetween(before: CpuSample, after: CpuSample): number {
  const own = [...after].map(([pid, process]) => ownSeconds(before.get(pid) ?? unstarted, process))
  const reaped = [...after].map(
    ([pid, process]) => process.endedChildrenSeconds - (before.get(pid) ?? unstarted).endedChildrenSeconds,
  )
  // A child that ended is in its parent's sum with all its time, also that before the first sample.
  const earlier = [...before]
    .filter(([pid]) => !after.has(pid))
    .map(([, process]) => ownSeconds(unstarted, process) + process.endedChildrenSeconds)
  return sum(own) + Math.max(0, sum(reaped) - sum(earlier))
}

/** The ids of the local processes that serve connections to this PostgreSQL database. */
export function postgresBackends(database: string): number[] {
  const title = new RegExp(`^postgres: .*\\b${database}\\b`)
  return list('/proc')
    .filter((name) => /^\d+$/.test(name) && title.test(read(`/proc/${name}/cmdline`) ?? ''))
    .map(Number)
}

const unstarted: ProcessCpu = { threads: new Map(), ownSeconds: 0, endedChildrenSeconds: 0 }

/** User and system time are each cut to whole ticks, so their difference may exceed the truth by two. */
const tickErrorSeconds = 0.02

/** Neither the sum of live threads nor the ticks less their error exceed the truth: the larger is closer. */
function ownSeconds(before: ProcessCpu, after: ProcessCpu): number {
  const live = [...after.threads].map(([id, used]) => used - (before.threads.get(id) ?? 0))
  const hasEndedThread = [...before.threads.keys()].some((id) => !after.threads.has(id))
  const ticks = after.ownSeconds - before.ownSeconds
  return Math.max(sum(live) / 1e9, hasEndedThread ? ticks : ticks - tickErrorSeconds)
}

function processesFrom(pids: readonly number[], found = new Map<number, ProcessCpu>()): Map<number, ProcessCpu> {
  for (const pid of pids) {
    const stat = read(`/proc/${pid}/stat`)
    const tasks = list(`/proc/${pid}/task`)
    const children = tasks.map((task) => read(`/proc/${pid}/task/${task}/children`))
    if (stat === null || children.every((each) => each === null)) continue
    found.set(pid, processFrom(pid, stat, tasks))
    const childPids = children.flatMap((each) => each?.split(' ') ?? []).filter(Boolean)
    processesFrom(childPids.map(Number), found)
  }
  return found
}

function processFrom(pid: number, stat: string, tasks: readonly string[]): ProcessCpu {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  const threads = tasks.map((task): [number, number] => [
    Number(task),
    Number(read(`/proc/${pid}/task/${task}/schedstat`)?.split(' ')[0] ?? 0),
  ])
  return {
    threads: new Map(threads),
    ownSeconds: (user + system) / ticksPerSecond,
    endedChildrenSeconds: (childUser + childSystem) / ticksPerSecond,
  }
}

/** USER_HZ, which Linux fixes at 100 in /proc. */
const ticksPerSecond = 100

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
