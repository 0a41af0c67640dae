// Runs commands in process with a temporary folder, and captures their output.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { runCommand } from '../../src/cli/main.ts'
import type { Runtime } from '../../src/server/environment.ts'
import type { Environment } from '../../src/config/read-config.ts'
import { root } from '../support/repository.ts'
import { makeDataFolder } from '../support/data-folder.ts'

export interface CommandResult {
  readonly exitCode: number
  /** Standard output. */
  readonly stdout: string
  /** Standard error. */
  readonly stderr: string
}

export interface RunningCommand {
  readonly ended: Promise<CommandResult>
  /** Waits until standard error matches. */
  stderr(words: RegExp): Promise<RegExpExecArray>
  stop(): void
  /** Simulates SIGHUP. */
  reload(): void
  /** Standard output so far. */
  stdout(): string
}

export interface Terminal {
  /** The working directory of the commands. */
  readonly folder: string
  readonly clock: { now: number }
  environment: Environment
  /** The folder of the built browser app. */
  appFolder: string
  start(args: readonly string[], input?: string): RunningCommand
  run(...args: string[]): Promise<CommandResult>
  /** Runs with standard input. */
  pipe(input: string, ...args: string[]): Promise<CommandResult>
  /** Runs with `--json`, expects success, and parses the output. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json(...args: string[]): Promise<any>
  /** Runs a server while `work` runs. */
  whileServing(work: (address: string) => Promise<void>, ...flags: string[]): Promise<void>
  close(): void
}

/** A terminal for each test of a suite, which is closed after it. Before the first test its members are missing. */
export function useTerminal(environment: Environment | (() => Environment) = {}): Terminal {
  const terminal = {} as Terminal
  beforeEach(() => {
    openTerminal(typeof environment === 'function' ? environment() : environment, terminal)
    return () => terminal.close()
  })
  return terminal
}

export function openTerminal(environment: Environment = {}, terminal = {} as Terminal): Terminal {
  const folder = makeDataFolder('cli')
  return Object.assign(terminal, {
    folder,
    clock: { now: Date.UTC(2026, 0, 1) * 1000 },
    environment,
    appFolder: join(root, 'web/dist'),
    start: (args, input = '') => start(terminal, args, input),
    run: (...args) => start(terminal, args, '').ended,
    pipe: (input, ...args) => start(terminal, args, input).ended,
    json: async (...args) => {
      const { exitCode, stdout, stderr } = await terminal.run(...args, '--json')
      if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`)
      return JSON.parse(stdout)
    },
    whileServing: async (work, ...flags) => {
      const server = start(terminal, ['serve', '--port', '0', ...flags], '')
      const [, address = ''] = await server.stderr(/serves on (http:\S+)/)
      await work(address).finally(() => server.stop())
      await server.ended
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true })
    },
  } satisfies Terminal)
}

/** A function that starts servers at the terminal of a test; after the test they are stopped. */
export function useServers(terminal: Terminal) {
  let running: RunningCommand[] = []
  afterEach(async () => {
    for (const one of running) one.stop()
    await Promise.all(running.map((one) => one.ended))
    running = []
  })
  return async (...args: string[]): Promise<{ address: string; server: RunningCommand }> => {
    const server = terminal.start(args)
    running.push(server)
    const [, address = ''] = await server.stderr(/serves on (http\S+)/)
    return { address, server }
  }
}

function start(terminal: Terminal, args: readonly string[], input: string): RunningCommand {
  let stdout = ''
  let stderr = ''
  const stops: (() => void)[] = []
  const reloads: (() => void)[] = []
  const runtime: Runtime = {
    environment: terminal.environment,
    cwd: terminal.folder,
    program: join(root, 'src/dagsverk.js'),
    appFolder: terminal.appFolder,
    input: (async function* () {
      yield input
    })(),
    print: (text) => {
      stdout += text
    },
    printLog: (lines) => {
      stdout += lines
    },
    printMessage: (text) => {
      stderr += text
    },
    clock: () => terminal.clock.now,
    monotonicMs: () => performance.now(),
    random: randomBytes,
    hashCost: { memoryKiB: 64, passes: 1 },
    onStop: (listener) => stops.push(listener),
    onReload: (listener) => reloads.push(listener),
  }
  const ended = runCommand(args, runtime).then((exitCode): CommandResult => ({ exitCode, stdout, stderr }))
  let isOver = false
  void ended.finally(() => {
    isOver = true
  })
  return {
    ended,
    stderr: async (words) => {
      for (;;) {
        const found = words.exec(stderr)
        if (found !== null) return found
        if (isOver) throw new Error(`ended without ${words}: ${stderr}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    stop: () => {
      for (const listener of stops) listener()
    },
    reload: () => {
      for (const listener of reloads) listener()
    },
    stdout: () => stdout,
  }
}
