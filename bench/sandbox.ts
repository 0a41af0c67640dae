// Starts a sandbox server to measure: the whole product, with sample companies.
import { spawn } from 'node:child_process'
import { builtProgram, projectFolder } from './location.ts'

export interface Sandbox {
  readonly address: string
  readonly pid: number
  readonly stop: () => void
}

/** On SQLite, or on the empty PostgreSQL database at the URL `postgres`. */
export async function startSandbox(postgres: string | undefined): Promise<Sandbox> {
  const store = postgres === undefined ? [] : ['--sandbox-store', postgres]
  const child = spawn(process.execPath, [...builtProgram, 'serve', '--sandbox', '--port', '0', ...store], {
    cwd: projectFolder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start:\n${output}`)))
    child.stderr.on('data', (piece: Buffer) => {
      output += piece.toString()
      const found = /serves on (http\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return { address, pid: child.pid ?? 0, stop: () => child.kill('SIGINT') }
}
