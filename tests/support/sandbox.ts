// The sandbox as its user starts it: a process with a temporary folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { beforeAll } from 'vitest'
import { compileCache, program, root } from './repository.ts'
import { makeDataFolder } from './data-folder.ts'

export interface RunningSandbox {
  readonly address: string
  /** Everything printed so far. */
  stderr(): string
  /** The files in its temporary folder. */
  files(): string[]
  /** Sends SIGTERM, as a supervisor does. */
  stop(): Promise<{ exitCode: number | null; files: string[] }>
}

/** A date in the week that the tests use; the sandbox's history ends the day before. */
export const sandboxDate = '2026-11-16'

/** A sandbox for all tests of a suite, which is stopped after them. */
export function useSandbox(): RunningSandbox {
  const sandbox = {} as RunningSandbox
  beforeAll(async () => {
    Object.assign(sandbox, await startSandbox())
    return async () => void (await sandbox.stop())
  })
  return sandbox
}

export async function startSandbox(
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningSandbox> {
  const folder = makeDataFolder('sandbox')
  const args = ['serve', '--sandbox', '--sandbox-date', sandboxDate, '--port', '0', ...flags]
  const server = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...compileCache, TMPDIR: folder, DAGSVERK_LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  const exited = once(server, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      // The example calls are printed last: after them the output is complete.
      const found = / serves on (?<address>http:\S+)[^]*application\/xml'/.exec(stderr)
      if (found?.groups?.address !== undefined) resolve(found.groups.address)
    })
    server.once('exit', () => reject(new Error(`the sandbox did not start: ${stderr}`)))
  })
  return {
    address,
    stderr: () => stderr,
    files: () => readdirSync(folder),
    stop: async () => {
      server.kill('SIGTERM')
      const [exitCode] = await exited
      const files = readdirSync(folder)
      rmSync(folder, { recursive: true })
      return { exitCode, files }
    },
  }
}
