// Client programs in several languages, and how each of them is run.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Requirement } from '../support/requirements.ts'

export interface ClientProgram {
  readonly language: string
  /** The program required beside Node. */
  readonly requirement?: Requirement
  /** Runs it to its end and returns its output; throws its errors when it fails. */
  readonly run: (...args: string[]) => Promise<string>
}

/** Compiles C# and runs it. */
export async function runCsharp(source: string, ...args: string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-mono-'))
  const executable = join(folder, 'client.exe')
  const references = ['System.Net.Http.dll', `${jsonNet}/Newtonsoft.Json.dll`]
  try {
    await execute('mcs', [...references.map((one) => `-r:${one}`), `-out:${executable}`, source])
    return await execute('mono', [executable, ...args])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs a program in the Norwegian time zone. */
export async function execute(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, TZ: 'Europe/Oslo', LC_ALL: 'C.UTF-8', MONO_PATH: jsonNet }
  const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: outputMax })
  return stdout
}

/** A sample that prints everything it reads prints a few megabytes. */
const outputMax = 64 * 1024 * 1024

const jsonNet = '/usr/lib/cli/Newtonsoft.Json-5.0'

function here(name: string): string {
  return join(import.meta.dirname, name)
}

export const programs: readonly ClientProgram[] = [
  { language: 'JavaScript', run: (...args) => execute(process.execPath, [here('javascript.js'), ...args]) },
  { language: 'PHP', requirement: 'php', run: (...args) => execute('php', [here('php.php'), ...args]) },
  { language: '.NET', requirement: 'mono', run: (...args) => runCsharp(here('dotnet.cs'), ...args) },
  { language: 'curl', requirement: 'curl', run: (...args) => execute('sh', [here('curl.sh'), ...args]) },
]
