// Quick check of a SQLite file, in a separate process: it may take minutes and blocks its thread.
import { fork } from 'node:child_process'
import Database from 'better-sqlite3'

export interface RunningQuickCheck {
  /** Problems in SQLite's words; empty for an intact file. Rejects when the check was interrupted. */
  readonly findings: Promise<readonly string[]>
  stop(): void
}

export function startQuickCheck(path: string): RunningQuickCheck {
  const child = fork(import.meta.filename, [path], { stdio: 'ignore' })
  const findings = new Promise<readonly string[]>((resolve, reject) => {
    child.on('message', (found) => resolve(Array.isArray(found) ? found.map(String) : []))
    child.on('error', reject)
    child.on('exit', () => reject(new Error('the check of the database was interrupted')))
  })
  // A stopped check has no reader.
  findings.catch(() => {})
  return { findings, stop: () => void child.kill('SIGKILL') }
}

const findingsMax = 10

function check(path: string): string[] {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const found = database.prepare<[], string>(`pragma quick_check(${findingsMax})`).pluck().all()
    return found.length === 1 && found[0] === 'ok' ? [] : found
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    database.close()
  }
}

const [, program, path] = process.argv
if (program === import.meta.filename && path !== undefined && process.send !== undefined)
  process.send(check(path), () => process.disconnect())
