// Looks through every page of a SQLite file, in a process of its own: it may take minutes, and blocks where it runs.
import { fork } from 'node:child_process'
import Database from 'better-sqlite3'

export interface QuickCheck {
  /** What is wrong, in SQLite's words; nothing where all is sound. Rejects when it could not be finished. */
  readonly findings: Promise<readonly string[]>
  stop(): void
}

export function startQuickCheck(path: string): QuickCheck {
  const child = fork(import.meta.filename, [path], { stdio: 'ignore' })
  const findings = new Promise<readonly string[]>((resolve, reject) => {
    child.on('message', (found) => resolve(Array.isArray(found) ? found.map(String) : []))
    child.on('error', reject)
    child.on('exit', () => reject(new Error('the check of the database did not come to its end')))
  })
  // Whoever stops it does not wait for it.
  findings.catch(() => {})
  return { findings, stop: () => void child.kill('SIGKILL') }
}

const findingsMax = 10

function look(path: string): string[] {
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
  process.send(look(path), () => process.disconnect())
