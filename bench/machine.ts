// What the operating system tells of a process, and how processes are kept on cores of their own. Figures come from /proc: null without it.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'

/** The core of the servers and that of the load, so that neither takes the other's time. */
export const serverCore = 0
export const loadCore = 1

/** The command that runs `command` on one core only, where the system can do that. */
export const pinned = (core: number, command: string[]): string[] =>
  canPin ? ['taskset', '-c', String(core), ...command] : command

/** User and system time of all threads of a process. */
export function cpuSecondsOf(pid: number): number | null {
  const text = pid === 0 ? null : read(`/proc/${pid}/stat`)
  if (text === null) return null
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export const residentMbOf = (pid: number): number | null => statusMb(pid, 'VmRSS')

/** The largest resident size since `forgetPeak`, or since the process began. */
export const peakMbOf = (pid: number): number | null => statusMb(pid, 'VmHWM')

export function forgetPeak(pid: number): void {
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

/** USER_HZ, which Linux fixes at 100 for what it shows in /proc. */
const ticksPerSecond = 100

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
