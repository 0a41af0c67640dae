// `dagsverk` as a process of its own, which can be killed, stopped, and given a bug to be caught with.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from '../_support/repository.ts'

export interface CommandProcess {
  readonly pid: number
  /** All that it has said so far on standard error. */
  told(): string
  readonly ended: Promise<Ended>
  /** SIGKILL: it is not asked. */
  kill(): Promise<Ended>
  /** SIGTERM: it is asked to stop. */
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
export const startCommand = (
  args: readonly string[],
  environment: Environment,
  planted?: string,
): CommandProcess => {
  const bug = planted === undefined ? [] : ['--import', `./tests/sim/planted/${planted}.ts`]
  const child = spawn(
    process.execPath,
    ['-C', 'dagsverk-src', ...bug, 'src/dagsverk.js', ...args],
    { cwd: root, env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
  )
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

export const startServer = (environment: Environment, planted?: string): Promise<ServerProcess> =>
  serving(startCommand(['serve'], environment, planted))

/** Waits until it serves. */
export const serving = async (server: CommandProcess): Promise<ServerProcess> => {
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
