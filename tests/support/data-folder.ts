// Folders for what a test stores: in memory if `/dev/shm` is large enough (`tools/test.sh`).
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder, which the caller deletes. `name` only helps to recognize it. */
export function makeDataFolder(name: string): string {
  return mkdtempSync(join(process.env['DAGSVERK_TEST_DATA'] ?? tmpdir(), `dagsverk-${name}-`))
}
