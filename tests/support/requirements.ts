// Programs beside Node that tests require: `npm test` lists those that exist, other tests are skipped.

/** A program of tools/requirements.sh, by the name it has there. */
export type Requirement =
  | ('curl' | 'php' | 'mono' | 'chromium' | 'root')
  | ('odata2ts' | 'ui5' | 'cloudsdk')
  | ('vitepress' | 'systemd' | 'promtool')

export function isAvailable(requirement: Requirement): boolean {
  return available.includes(requirement)
}

const available = (process.env['DAGSVERK_TEST_WITH'] ?? '').split(',')
