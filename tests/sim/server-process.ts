// `dagsverk` as a process, which can be killed, stopped, and loaded with an injected bug.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../support/repository.ts'

export interface CommandProcess {
  readonly pid: number
  /** Everything written to standard error so far. */
  told(): string
  readonly ended: Promise<Ended>
  /** SIGKILL. */
  kill(): Promise<Ended>
  /** SIGTERM. */
  stop(): Promise<Ended>
}

export interface ServerProcess extends CommandProcess {
  readonly address: string
}

export interface Ended {
  readonly exitCode: number | null
  readonly told: string
}

type Environment = Readonly<Record<string, string>>

/** Starts a command as a terminal would. */
export function startCommand(
  args: readonly string[],
  environment: Environment,
  planted?: string,
): CommandProcess {
  const bug = planted === undefined ? [] : ['--import', `./tests/sim/injected-bugs/${planted}.ts`]
  const child = spawn(process.execPath, [...bug, 'src/dagsverk.js', ...args], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (piece: Buffer) => {
    told += piece.toString()
  })
  const ended = once(child, 'close').then(([exitCode]): Ended => ({ exitCode, told }))
  const end = (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return {
    pid: child.pid ?? 0,
    told: () => told,
    ended,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

export function startServer(environment: Environment, planted?: string): Promise<ServerProcess> {
  return serving(startCommand(['serve'], environment, planted))
}

/** Waits until it serves. */
export async function serving(server: CommandProcess): Promise<ServerProcess> {
  let isOver = false
  void server.ended.then(() => {
    isOver = true
  })
  for (;;) {
    const address = / serves on (?<address>http:\S+)\n/.exec(server.told())?.groups?.['address']
    if (address !== undefined) return { ...server, address }
    if (isOver) throw new Error(`the server did not start: ${server.told()}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** The processes that it started. */
export function childrenOf(parent: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, command]) => Number(ppid) === parent && command !== 'ps')
    .map(([pid]) => Number(pid))
}

/** Waits until the output matches so many times; `pattern` is global. */
export async function untilTold(
  server: CommandProcess,
  words: RegExp,
  times: number,
): Promise<void> {
  let isOver = false
  void server.ended.then(() => {
    isOver = true
  })
  while ((server.told().match(words)?.length ?? 0) < times) {
    if (isOver) throw new Error(`the server ended: ${server.told()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
