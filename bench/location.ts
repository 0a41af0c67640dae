// The folders of the benchmark: databases that are filled once, their copies for one run, and results.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const benchFolder = import.meta.dirname
export const projectFolder = dirname(benchFolder)
export const peersFolder = join(benchFolder, 'peers')
export const resultsFolder = join(benchFolder, 'results')

/** Node's arguments that run the built server, as `npm start` does. */
export const builtProgram = ['--disable-proto=delete', '--max-semi-space-size=4', '--v8-pool-size=2', 'dist/main.js']

/** Filled databases stay here between runs; only copies of them are served. */
export const filledFolder = join(benchFolder, 'data')

/** A folder for one run, deleted when the benchmark ends. */
export function scratchFolder(): string {
  mkdirSync(filledFolder, { recursive: true })
  const folder = mkdtempSync(join(filledFolder, 'run-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** Makes `to` a copy of `from`, whatever it contained before. */
export function copyFolder(from: string, to: string): string {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  return to
}
