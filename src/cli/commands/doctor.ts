// `dagsverk doctor`: looks at everything an operator can get wrong, and says what to do about it.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { isAppBuilt } from '../../app/assets.ts'
import { configOf, databaseSettings, withSettings } from '../../server/config-options.ts'
import { examineDatabase, type Finding } from './doctor-database.ts'
import { printRows, type JsonFlag } from '../support/print.ts'
import { appNotBuilt } from '../../server/warn-if-app-missing.ts'
import type { World } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Config } from '../../config/settings.ts'
import { sqlitePath } from '../../store/open-store.ts'
import { fileSystemOf, freePercentAt, freePercentMin } from '../../store/sqlite/file-system.ts'

export function addDoctorCommand(program: Command, world: World): void {
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
        ...fileSystem(config),
        app(world),
        ...(await examineDatabase(config, world)),
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
function node(version: string): Finding {
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

function app({ appFolder }: World): Finding {
  return isAppBuilt(appFolder)
    ? { check: 'browser app', verdict: 'ok', says: 'built' }
    : { check: 'browser app', verdict: 'advice', says: appNotBuilt }
}

function folder({ dataDir, databaseUrl }: Config): Finding {
  const check = 'data folder'
  if (!existsSync(dataDir)) {
    const isNeeded = sqlitePath(databaseUrl) !== null
    return { check, verdict: isNeeded ? 'advice' : 'ok', says: `${dataDir} does not exist` }
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

function disk({ dataDir }: Config): Finding {
  const check = 'disk'
  if (!existsSync(dataDir)) return { check, verdict: 'ok', says: 'nothing is kept on it' }
  const percent = freePercentAt(dataDir)
  return { check, verdict: percent < freePercentMin ? 'wrong' : 'ok', says: `${percent} % free` }
}

/** Where SQLite's file is; what PostgreSQL stands on is its own business. */
function fileSystem({ databaseUrl }: Config): Finding[] {
  const path = sqlitePath(databaseUrl)
  if (path === null) return []
  const check = 'file system'
  const { reach, name } = fileSystemOf(path)
  if (reach === 'local') return [{ check, verdict: 'ok', says: 'local' }]
  return reach === 'network'
    ? [{ check, verdict: 'wrong', says: `${name} is a network: use a local disk, or PostgreSQL` }]
    : [{ check, verdict: 'advice', says: `${name}: be sure that a local disk is behind it` }]
}

const examples = `
Examples:
  dagsverk doctor
  dagsverk doctor --json
`
