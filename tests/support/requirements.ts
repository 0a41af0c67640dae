// What beside Node a test may need: `npm test` says which of it is there, and what hangs on the rest is skipped.

/** A program of tools/test.sh, by the name it has there. */
export type Need = 'curl' | 'php' | 'mono' | 'chromium' | 'odata2ts'

export function isMet(need: Need): boolean {
  return met.includes(need)
}

const met = (process.env['DAGSVERK_TEST_WITH'] ?? '').split(',')
