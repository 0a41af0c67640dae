// `dagsverk` as a process, which can be killed, stopped, and loaded with an injected bug.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { compileCache, program, root } from '../support/repository.ts'

export interface CommandProcess {
  readonly pid: number
  /** Everything written to standard error so far. */
  stderr(): string
  readonly ended: Promise<ExitResult>
  /** SIGKILL. */
  kill(): Promise<ExitResult>
  /** SIGTERM. */
  stop(): Promise<ExitResult>
}

export interface ServerProcess extends CommandProcess {
  readonly address: string
}

export interface ExitResult {
  readonly exitCode: number | null
  readonly stderr: string
}

type Environment = Readonly<Record<string, string>>

/**
 * Starts a command of the built server, or of the sources where a bug is injected, which replaces functions of their modules.
 * `starter` is a program that executes the rest of its arguments.
 */
export function startCommand(
  args: readonly string[],
  environment: Environment,
  injectedBug?: string,
  starter: readonly string[] = [],
): CommandProcess {
  const dagsverk =
    injectedBug === undefined
      ? [program]
      : ['--import', `./tests/sim/injected-bugs/${injectedBug}.ts`, 'src/dagsverk.js']
  const [executable = '', ...executableArgs] = [...starter, process.execPath, ...dagsverk, ...args]
  const child = spawn(executable, executableArgs, {
    cwd: root,
    env: { ...compileCache, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = once(child, 'close').then(([exitCode]): ExitResult => ({ exitCode, stderr }))
  const end = (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { pid: child.pid ?? 0, stderr: () => stderr, ended, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}

export function startServer(environment: Environment, injectedBug?: string): Promise<ServerProcess> {
  return waitUntilServing(startCommand(['serve'], environment, injectedBug))
}

/** Waits until it serves. */
export async function waitUntilServing(server: CommandProcess): Promise<ServerProcess> {
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  for (;;) {
    const address = / serves on (?<address>http:\S+)\n/.exec(server.stderr())?.groups?.['address']
    if (address !== undefined) return { ...server, address }
    if (hasEnded) throw new Error(`the server did not start: ${server.stderr()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The processes that it started. */
export function findChildren(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, command]) => Number(ppid) === parent && command !== 'ps')
    .map(([pid]) => Number(pid))
}

/** Waits until the output matches so many times; `pattern` is global. */
export async function waitForOutput(server: CommandProcess, pattern: RegExp, times: number): Promise<void> {
  let hasEnded = false
  void server.ended.then(() => {
    hasEnded = true
  })
  while ((server.stderr().match(pattern)?.length ?? 0) < times) {
    if (hasEnded) throw new Error(`the server ended: ${server.stderr()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
