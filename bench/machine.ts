// CPU time and memory of processes from /proc (null without it), and pinning of processes to cores.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'

/** The core of the servers and that of the load, so that neither takes the other's time. */
export const serverCore = 0
export const loadCore = 1

/** The command that runs `command` on one core only, if the system supports it. */
export function pinned(core: number, command: string[]): string[] {
  return canPin ? ['taskset', '-c', String(core), ...command] : command
}

/**
 * CPU time of a process, its threads and all its descendants, including threads and children that
 * have ended. Exact to the nanosecond while none of a process's threads has ended, otherwise to two
 * ticks of 10 ms for each process.
 */
export function cpuSecondsOf(pid: number): number | null {
  let seconds = secondsByProcess(pid)
  // A child that ended between the reading of its parent and its own is in neither: repeat until it
  // is in one.
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = seconds
    seconds = secondsByProcess(pid)
    if (seconds.size === before.size && [...seconds.keys()].every((id) => before.has(id))) break
  }
  return seconds.size === 0 ? null : sum(seconds.values())
}

export function residentMbOf(pid: number): number | null {
  return statusMb(pid, 'VmRSS')
}

/** The largest resident size since `resetPeak`, or since the process began. */
export function peakMbOf(pid: number): number | null {
  return statusMb(pid, 'VmHWM')
}

export function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Without /proc there is no peak to forget either.
  }
}

export const machine = {
  system: `${type()} ${release()}`,
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryMb: Math.round(totalmem() / 2 ** 20),
  node: process.version,
}

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** The CPU seconds of a process and each of its live descendants; none without /proc. */
function secondsByProcess(pid: number, found = new Map<number, number>()): Map<number, number> {
  const stat = read(`/proc/${pid}/stat`)
  const tasks = list(`/proc/${pid}/task`)
  const children = tasks.map((task) => read(`/proc/${pid}/task/${task}/children`))
  if (stat === null || children.every((each) => each === null)) return found
  found.set(pid, ownSeconds(pid, stat, tasks))
  for (const child of children.flatMap((each) => each?.split(' ') ?? []).filter(Boolean)) {
    secondsByProcess(Number(child), found)
  }
  return found
}

/**
 * /proc/PID/stat includes ended threads, in whole ticks; the times of live threads are finer.
 * Neither exceeds the truth, so the larger is closer. Reaped children are in `stat` alone.
 */
function ownSeconds(pid: number, stat: string, tasks: string[]): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  const live = tasks.map((task) => read(`/proc/${pid}/task/${task}/schedstat`)?.split(' ')[0] ?? 0)
  const liveSeconds = sum(live.map(Number)) / 1e9
  return (
    Math.max((user + system) / ticksPerSecond, liveSeconds) +
    (childUser + childSystem) / ticksPerSecond
  )
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, one) => total + one, 0)
}

/** USER_HZ, which Linux fixes at 100 in /proc. */
const ticksPerSecond = 100

function statusMb(pid: number, field: string): number | null {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`) ?? '')
  return found?.[1] === undefined ? null : Number(found[1]) / 1024
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
