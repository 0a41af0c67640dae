// Memory of processes from /proc (null without it), and pinning of processes to cores.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'

/** The cores of a server and that of the load, so that neither takes the other's time. */
export const serverCores: readonly number[] = [0]
export const loadCores: readonly number[] = [1]

/** One core for each of two workers; null where a third would be missing for load and database. */
export const twoWorkerCores = availableParallelism() < 4 ? null : [0, 2]

/** The command that runs `command` on these cores only, if the system supports it. */
export function pinned(allowedCores: readonly number[], command: readonly string[]): string[] {
  return canPin ? ['taskset', '-c', allowedCores.join(','), ...command] : [...command]
}

/** The same for this process and what it starts. */
export function pinThisProcess(allowedCores: readonly number[]): void {
  if (canPin) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', allowedCores.join(','), String(process.pid)])
}

export function residentMbOf(pid: number): number | null {
  return statusMb(pid, 'VmRSS')
}

/** The resident memory that is no file: heap, stacks, page caches of SQLite. */
export function anonymousMbOf(pid: number): number | null {
  return statusMb(pid, 'RssAnon')
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

function statusMb(pid: number, field: string): number | null {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`) ?? '')
  return found?.[1] === undefined ? null : Number(found[1]) / 1024
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
