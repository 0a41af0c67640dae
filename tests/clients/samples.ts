// Samples of the documentation: what runs each language, and the samples of a page.
import { spawnSync } from 'node:child_process'
import { textOf } from '../support/repository.ts'

export interface SampleRunner {
  readonly isThere: () => boolean
  /** The file name. */
  readonly name: string
  readonly run: (file: string) => Promise<string>
}

export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}

/** The code fences of a page, in order. */
export function listSamples(page: string) {
  return [...textOf(page).matchAll(/^```(?<language>\w+)\n(?<text>.*?)^```$/gms)].map(({ groups }) => ({
    language: groups?.language ?? '',
    text: groups?.text ?? '',
  }))
}
