// `dagsverk doctor`: checks the environment, data folder, disk, app and database.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import type { Command } from '@commander-js/extra-typings'
import { isAppBuilt } from '../../app/assets.ts'
import { readCommandConfig, databaseSettings, withSettings } from '../../server/config-options.ts'
import { checkDatabase } from './doctor-database.ts'
import { printRows } from '../support/print.ts'
import { appNotBuilt } from '../../server/warn-if-app-missing.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { advice, ok, wrong, type Verdict, type Verdicts } from '../../lib/verdict.ts'
import { variableName, type Config } from '../../config/settings.ts'
import { sqlitePath } from '../../store/open-store.ts'
import { getFileSystem, getFreePercent, freePercentMin } from '../../store/sqlite/file-system.ts'

export function addDoctorCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('doctor')
    .description('check Node, data folder, disk, database, backup, journal, mail, master key and credentials')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (flags, called) => {
      const config = readCommandConfig(called, runtime)
      const verdicts: Verdicts = {
        node: checkNode(process.versions.node),
        'data folder': checkDataFolder(config),
        disk: checkDisk(config),
        'file system': checkFileSystem(config),
        'browser app': isAppBuilt(runtime.appFolder) ? ok('built') : advice(appNotBuilt),
        proxy: checkProxy(config),
        'plain http': checkPlainHttp(config),
        ...(await checkDatabase(config, runtime)),
      }
      const findings = Object.entries(verdicts).flatMap(([check, found]) =>
        [found].flat().map((verdict) => ({ check, ...verdict })),
      )
      printRows(runtime, findings, flags)
      if (findings.some(({ verdict }) => verdict === 'wrong')) throw new OperatorError('Problems were found.')
    })
  withSettings(command, databaseSettings)
}

/** Older versions have CVE-2026-111497 in a decoder that this program does not use. */
function checkNode(version: string): Verdict {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const [goodMinor, goodPatch] = patched.get(major) ?? [0, 0]
  const isPatched = minor > goodMinor || (minor === goodMinor && patch >= goodPatch)
  return isPatched
    ? ok(`v${version}`)
    : advice(`v${version}; v${major}.${goodMinor}.${goodPatch} or newer has a security fix`)
}

const patched: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [22, [23, 4]],
  [24, [22, 1]],
  [26, [12, 1]],
])

/** There is no TLS but that of a proxy, which may add no header that tells its clients from this machine. */
function checkProxy({ publicUrl, trustProxy, behindProxy }: Config): Verdict {
  if (!publicUrl.startsWith('https:') && trustProxy.names.length === 0) return ok('none')
  if (trustProxy.names.length === 0)
    return advice(
      `${variableName('publicUrl')} needs a proxy for TLS, and none is trusted: set ${variableName('trustProxy')} and ${variableName('behindProxy')}`,
    )
  const isOnThisMachine = trustProxy.has('127.0.0.1') || trustProxy.has('::1')
  return isOnThisMachine && behindProxy === 'off'
    ? advice(
        `clients count as this machine, without TLS and rate limit, if the proxy adds no X-Forwarded-For: set ${variableName('behindProxy')}=on`,
      )
    : ok(trustProxy.names.join(', '))
}

/** Plain HTTP shows passwords and keys to every network that it passes. */
function checkPlainHttp({ allowHttp }: Config): Verdict {
  const everywhere = allowHttp.names.find((name) => name.endsWith('/0'))
  if (everywhere !== undefined)
    return advice(
      `${variableName('allowHttp')} has ${everywhere}, so passwords may come unencrypted from everywhere: name the networks that need it`,
    )
  return ok(['this machine', ...allowHttp.names].join(', '))
}

function checkDataFolder({ dataDir, databaseUrl }: Config): Verdict {
  if (!existsSync(dataDir)) {
    const isNeeded = sqlitePath(databaseUrl) !== null
    return (isNeeded ? advice : ok)(`${dataDir} does not exist`)
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return wrong(`${dataDir} is not writable by this user`)
  }
  return (statSync(dataDir).mode & 0o007) === 0
    ? ok(dataDir)
    : advice(`${dataDir} is accessible to other users: chmod o-rwx ${dataDir}`)
}

function checkDisk({ dataDir }: Config): Verdict {
  if (!existsSync(dataDir)) return ok('not used')
  const percent = getFreePercent(dataDir)
  return (percent < freePercentMin ? wrong : ok)(`${percent} % free`)
}

/** Only for SQLite; a PostgreSQL server monitors its own disk. */
function checkFileSystem({ databaseUrl }: Config): Verdict | [] {
  const path = sqlitePath(databaseUrl)
  if (path === null) return []
  const { kind, name } = getFileSystem(path)
  if (kind === 'local') return ok('local')
  return kind === 'network'
    ? wrong(`${name} is a network file system: use a local disk, or PostgreSQL`)
    : advice(`${name}: make sure that it is on a local disk`)
}

const examples = `
Examples:
  dagsverk doctor
  dagsverk doctor --json
`
