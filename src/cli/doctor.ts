// `dagsverk doctor`: looks at everything an operator can get wrong, and says what to do about it.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { addressesOf } from '#auth/bound-addresses.ts'
import { configOf, databaseSettings, withSettings } from '#cli/configured.ts'
import { masterKeyOf, masterKeyPath } from '#cli/master-key-file.ts'
import { reached } from '#cli/opened.ts'
import { printRows, type JsonFlag } from '#cli/print.ts'
import type { World } from '#cli/world.ts'
import type { Config } from '#config.ts'
import { OperatorError } from '#lib/operator-error.ts'
import { listCompanies, listCredentials } from '#store/accounts.ts'
import { openStore, sqlitePath } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'

/** `advice` is worth reading and fails nothing. */
type Verdict = 'ok' | 'advice' | 'wrong'

interface Finding {
  readonly check: string
  readonly verdict: Verdict
  readonly says: string
}

export const addDoctorCommand = (program: Command, world: World): void => {
  const command = program
    .command('doctor')
    .description('check the machine, the folder, the database and the secrets')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (flags: JsonFlag, called: Command) => {
      const config = configOf(called, world)
      const findings = [
        node(process.versions.node),
        folder(config),
        disk(config),
        ...(await database(config, world)),
      ]
      printRows(
        world,
        findings.map((finding) => ({ ...finding })),
        flags,
      )
      if (findings.some(({ verdict }) => verdict === 'wrong'))
        throw new OperatorError('Something is wrong.')
    })
  withSettings(command, databaseSettings)
}

/** Older ones carry CVE-2026-111497 in a decoder that no code of ours reaches. */
const node = (version: string): Finding => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [goodMinor, goodPatch] = patched.get(major) ?? [0, 0]
  const isPatched = minor > goodMinor || (minor === goodMinor && patch >= goodPatch)
  return isPatched
    ? { check: 'node', verdict: 'ok', says: `v${version}` }
    : {
        check: 'node',
        verdict: 'advice',
        says: `v${version}; v${major}.${goodMinor}.${goodPatch} or newer has a security fix`,
      }
}

const patched: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [22, [23, 4]],
  [24, [22, 1]],
  [26, [12, 1]],
])

const folder = ({ dataDir, databaseUrl }: Config): Finding => {
  const check = 'data folder'
  if (!existsSync(dataDir)) {
    const isNeeded = sqlitePath(databaseUrl) !== null
    return { check, verdict: isNeeded ? 'wrong' : 'ok', says: `${dataDir} does not exist` }
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return { check, verdict: 'wrong', says: `${dataDir} cannot be written by this user` }
  }
  return (statSync(dataDir).mode & 0o007) === 0
    ? { check, verdict: 'ok', says: dataDir }
    : { check, verdict: 'advice', says: `${dataDir} is open to others: chmod o-rwx ${dataDir}` }
}

const disk = ({ dataDir }: Config): Finding => {
  const check = 'disk'
  if (!existsSync(dataDir)) return { check, verdict: 'ok', says: 'nothing is kept on it' }
  const { bavail, blocks } = statfsSync(dataDir)
  const percent = Math.floor((bavail / blocks) * 100)
  return { check, verdict: percent < 5 ? 'wrong' : 'ok', says: `${percent} % free` }
}

const database = async (config: Config, world: World): Promise<Finding[]> => {
  try {
    const store = await reached(
      openStore({ url: config.databaseUrl, isCreating: false, connectionsMax: 2 }),
    )
    try {
      const where = sqlitePath(config.databaseUrl) ?? 'PostgreSQL'
      return [
        { check: 'database', verdict: 'ok', says: where },
        await masterKey(store, config, world),
        ...(await credentials(store, world)),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [{ check: 'database', verdict: 'wrong', says: reason(error) }]
  }
}

const masterKey = async (store: Store, config: Config, world: World): Promise<Finding> => {
  const check = 'master key'
  try {
    await masterKeyOf(store, config, world)
    const path = masterKeyPath(config)
    return { check, verdict: 'ok', says: config.masterKey === '' ? path : 'as configured' }
  } catch (error) {
    return { check, verdict: 'wrong', says: reason(error) }
  }
}

const credentials = async (store: Store, world: World): Promise<Finding[]> => {
  const findings: Finding[] = []
  const advise = (says: string) => findings.push({ check: 'credentials', verdict: 'advice', says })
  const soon = world.clock() + 14 * 24 * 3600 * 1_000_000
  for (const company of await listCompanies(store)) {
    const all = await listCredentials(store, company.id)
    const live = all.filter(({ revokedAt }) => revokedAt === null)
    if (live.length === 0) advise(`"${company.name}" has neither password nor key`)
    for (const { kind, id, expiresAt } of live)
      if (expiresAt !== null && expiresAt < soon)
        advise(
          `${kind} ${id} of "${company.name}" expires ${new Date(expiresAt / 1000).toISOString()}`,
        )
    for (const one of live.filter(({ secretKind }) => secretKind === 'weak'))
      advise(
        `"${company.name}" has a weak password that was taken over; it opens from ${addressesOf(one)?.join(', ')} alone`,
      )
  }
  return findings.length > 0
    ? findings
    : [{ check: 'credentials', verdict: 'ok', says: 'none is weak, none expires soon' }]
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const examples = `
Examples:
  dagsverk doctor
  dagsverk doctor --json
`
