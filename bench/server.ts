// A server under test: a process on the server's cores, its output in a file, with start and stop.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsBetween, noCpu, sampleCpu } from './cpu.ts'
import { pinned, serverCores } from './machine.ts'
import type { RequestDialect } from './requests.ts'
import type { DatasetSize } from './rows.ts'

export interface ServerUnderTest {
  readonly name: string
  readonly dialect: RequestDialect
  readonly size: DatasetSize
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first successful reply. */
  readonly readyMs: number
  /** The CPU time until then; null where the system does not provide it. */
  readonly readyCpuSeconds: number | null
  /** The PostgreSQL database that it uses. */
  readonly database?: string
  /** The port of its metrics, if they are enabled. */
  readonly metricsPort?: number
  readonly stop: () => Promise<void>
}

export interface ServerProgram {
  readonly name: string
  readonly dialect: RequestDialect
  readonly size: DatasetSize
  readonly command: readonly string[]
  /** The cores that it may run on; one if not given. */
  readonly cores?: readonly number[]
  readonly folder: string
  readonly env: (port: number) => Record<string, string>
  /** Returns 200 once the server is ready. */
  readonly readyPath: string
  readonly logFile: string
}

/**
 * Starts a server and waits until it is ready. Throws with the end of its output when it exits
 * before.
 */
export async function startServer(program: ServerProgram): Promise<ServerUnderTest> {
  const { name, dialect, size } = program
  const port = await freePort()
  const log = openSync(program.logFile, 'a')
  const [command = '', ...args] = pinned(program.cores ?? serverCores, program.command)
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd: program.folder,
    env: { ...process.env, ...program.env(port) },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  running.add(child)
  child.once('exit', () => running.delete(child))
  await waitUntilReady(child, `http://127.0.0.1:${port}${program.readyPath}`, program)
  const pid = child.pid ?? 0
  const cpu = sampleCpu([pid])
  return {
    name,
    dialect,
    size,
    port,
    pid,
    readyMs: performance.now() - startedAt,
    readyCpuSeconds: cpu === null ? null : cpuSecondsBetween(noCpu, cpu),
    stop: () => stopChild(child),
  }
}

const running = new Set<ChildProcess>()

// An interrupted benchmark leaves no server running.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function waitUntilReady(child: ChildProcess, url: string, { name, logFile }: ServerProgram): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 5) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const reply = await fetch(url).catch(() => null)
    await reply?.arrayBuffer()
    if (reply?.status === 200) return
    await sleep(5)
  }
  child.kill('SIGKILL')
  throw new Error(`${name} did not start:\n${readFileSync(logFile, 'utf8').slice(-2000)}`)
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(timer)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = address === null || typeof address === 'string' ? 0 : address.port
      probe.close(() => resolve(port))
    })
  })
}
