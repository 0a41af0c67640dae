// The version of the program, from package.json, and the commit that a package was built from.
import { existsSync, readFileSync } from 'node:fs'

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const version =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'

const commitFile = new URL('../../dist/commit', import.meta.url)

/** Abbreviated; undefined if the program was not packed in a clone. */
export const commit = (existsSync(commitFile) && readFileSync(commitFile, 'utf8').trim()) || undefined
