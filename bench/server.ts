// A server under measurement: a process on the server core, its output in a file, with start and stop.
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialect } from './cases.ts'
import { pinned, serverCore } from './machine.ts'
import type { Size } from './rows.ts'

export interface Server {
  readonly name: string
  readonly dialect: Dialect
  readonly size: Size
  readonly port: number
  readonly pid: number
  /** From the start of the process to its first successful reply. */
  readonly readyMs: number
  readonly stop: () => Promise<void>
}

export interface Launch {
  readonly name: string
  readonly dialect: Dialect
  readonly size: Size
  readonly command: string[]
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
export async function startServer(launch: Launch): Promise<Server> {
  const port = await freePort()
  const log = openSync(launch.logFile, 'a')
  const [program = '', ...args] = pinned(serverCore, launch.command)
  const startedAt = performance.now()
  const child = spawn(program, args, {
    cwd: launch.folder,
    env: { ...process.env, ...launch.env(port) },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  running.add(child)
  child.once('exit', () => running.delete(child))
  await waitUntilReady(child, `http://127.0.0.1:${port}${launch.readyPath}`, launch)
  return {
    name: launch.name,
    dialect: launch.dialect,
    size: launch.size,
    port,
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    stop: () => stopChild(child),
  }
}

const running = new Set<ChildProcess>()

// An interrupted benchmark leaves no server running.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

async function waitUntilReady(child: ChildProcess, url: string, launch: Launch): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 5) {
    if (child.exitCode !== null || child.signalCode !== null) break
    const reply = await fetch(url).catch(() => null)
    await reply?.arrayBuffer()
    if (reply?.status === 200) return
    await sleep(5)
  }
  child.kill('SIGKILL')
  throw new Error(
    `${launch.name} did not start:\n${readFileSync(launch.logFile, 'utf8').slice(-2000)}`,
  )
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(timer)
}

function freePort(): Promise<number> {
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
