// Programs beside Node that tests require: `npm test` lists those that exist, other tests are skipped.

/** A program of tools/test.sh, by the name it has there. */
export type Need = 'curl' | 'php' | 'mono' | 'chromium' | 'odata2ts'

export function isMet(need: Need): boolean {
  return met.includes(need)
}

const met = (process.env['DAGSVERK_TEST_WITH'] ?? '').split(',')
