// CPU profile of the server under load with V8's sampling profiler, summed by module and by function.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CaseName } from './cases.ts'
import { startCopy, startPostgresCopy, type BenchmarkRun } from './servers.ts'
import type { LoadGenerator } from './load-generator.ts'
import { figure } from './figure.ts'
import type { DatasetSize } from './rows.ts'

/** The part of V8's profile that is used here; times are in microseconds. */
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[]
  readonly endTime: number
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
}

/** Prints the shares of a case, also on PostgreSQL where it is given. Every share is self time, without callees. */
export async function profile(
  run: BenchmarkRun,
  name: CaseName,
  size: DatasetSize,
  generator: LoadGenerator,
): Promise<void> {
  await profileOn(run, startCopy, name, size, generator)
  if (run.options.postgres !== undefined) await profileOn(run, startPostgresCopy, name, size, generator)
}

async function profileOn(
  run: BenchmarkRun,
  start: typeof startPostgresCopy,
  name: CaseName,
  size: DatasetSize,
  generator: LoadGenerator,
): Promise<void> {
  const folder = mkdtempSync(join(run.scratch, 'profile-'))
  const server = await start(run, `profiled-${name}`, size, {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
  })
  if (server === null) return
  const { port, pid, dialect } = server
  run.log(`profiling ${name} on ${dialect}`)
  const job = { case: name, dialect, size, seed: 1, port, serverPid: pid }
  const measured = await generator.measure({ ...job, warmUpMs: 2000, durationMs: 5000 })
  await server.stop()
  const busyMicros = selfTimes(largestProfile(folder), measured.seconds * 1e6)
  const rate = `${figure(measured.perSecond)} requests/s under the profiler`
  console.log(`\n${name} on ${dialect}: ${rate}, ${measured.rejected} rejected`)
  printShares('module', sumBy(busyMicros, sourceModuleOf), measured.requests, 12)
  printShares('function', sumBy(busyMicros, moduleOf), measured.requests, 30)
}

/** The time of each frame in the last part of the profile, without idle time. */
function selfTimes(cpuProfile: CpuProfile, lastMicros: number): Map<Frame, number> {
  const frames = new Map(cpuProfile.nodes.map((node) => [node.id, node.callFrame]))
  const times = new Map<Frame, number>()
  let at = cpuProfile.startTime
  for (const [i, id] of cpuProfile.samples.entries()) {
    const micros = cpuProfile.timeDeltas[i] ?? 0
    at += micros
    const frame = frames.get(id)
    if (frame === undefined || frame.functionName === '(idle)') continue
    if (at >= cpuProfile.endTime - lastMicros) times.set(frame, (times.get(frame) ?? 0) + micros)
  }
  return times
}

/** `src/odata`, `fastify`, `node:_http_server`, or `native` for V8 and addons. */
function sourceModuleOf(frame: Frame): string {
  if (frame.url === '') return frame.functionName.startsWith('(') ? frame.functionName : 'native'
  if (frame.url.startsWith('node:')) return frame.url.split('/')[0] ?? frame.url
  const parts = frame.url.split('/')
  const packages = parts.lastIndexOf('node_modules')
  if (packages !== -1) return parts[packages + 1] ?? frame.url
  return parts.slice(parts.lastIndexOf('src'), -1).join('/')
}

function moduleOf(frame: Frame): string {
  const name = frame.functionName || '(anonymous)'
  if (frame.url === '') return `${sourceModuleOf(frame)} ${name}`
  return `${sourceModuleOf(frame)}/${frame.url.split('/').at(-1)}:${frame.lineNumber + 1} ${name}`
}

function sumBy(times: Map<Frame, number>, nameOf: (frame: Frame) => string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [frame, micros] of times) {
    sums.set(nameOf(frame), (sums.get(nameOf(frame)) ?? 0) + micros)
  }
  return sums
}

function printShares(title: string, sums: Map<string, number>, requests: number, top: number): void {
  const total = [...sums.values()].reduce((sum, micros) => sum + micros, 0)
  console.log(`\n   share  us/request  ${title}`)
  for (const [name, micros] of [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, top)) {
    const share = `${((100 * micros) / total).toFixed(1)} %`
    console.log(`${share.padStart(8)}  ${(micros / requests).toFixed(2).padStart(10)}  ${name}`)
  }
}

/** The server may have started other processes; the largest profile is the one under load. */
function largestProfile(folder: string): CpuProfile {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const [largest] = texts.toSorted((a, b) => b.length - a.length)
  if (largest === undefined) throw new Error('the server wrote no profile')
  return JSON.parse(largest)
}
