// Quick check of a SQLite file, in a separate process: it may take minutes and blocks its thread.
import { fork } from 'node:child_process'

export interface RunningQuickCheck {
  /** Problems in SQLite's words; empty for an intact file. Rejects when the check was interrupted. */
  readonly findings: Promise<readonly string[]>
  stop(): void
}

export function startQuickCheck(path: string): RunningQuickCheck {
  const child = fork(new URL('./quick-check-process.ts', import.meta.url), [path], { stdio: 'ignore' })
  const findings = new Promise<readonly string[]>((resolve, reject) => {
    child.on('message', (found) => resolve(Array.isArray(found) ? found.map(String) : []))
    child.on('error', reject)
    child.on('exit', () => reject(new Error('the check of the database was interrupted')))
  })
  // A stopped check has no reader.
  findings.catch(() => {})
  return { findings, stop: () => void child.kill('SIGKILL') }
}
