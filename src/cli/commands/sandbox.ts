// `dagsverk serve --sandbox`: a temporary test server that opens nothing configured.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command, OptionValues } from '@commander-js/extra-typings'
import { parseMasterKey } from '../../auth/tokens/master-key.ts'
import { withDatabaseErrors, withOpenStore } from '../../server/with-store.ts'
import type { ServerOptions } from '../../server/create-server.ts'
import { formatSandboxWelcome } from '../support/sandbox-welcome.ts'
import type { Runtime } from '../../server/environment.ts'
import type { Configuration } from '../../config/read-config.ts'
import { dateInZone, parseDateWithoutZone } from '../../lib/calendar-date.ts'
import { yearMin } from '../../lib/calendar.ts'
import { parseNetworks, isLoopbackHost } from '../../lib/network.ts'
import { configurationError, usageError } from '../../lib/operator-error.ts'
import {
  knownAccounts,
  sandboxHashCost,
  sandboxZone,
  secretAccounts,
  type SandboxAccount,
} from '../../sandbox/accounts.ts'
import { injectFault } from '../../sandbox/fault-injection.ts'
import { fillSandbox, historyYears } from '../../sandbox/sandbox.ts'
import type { Config } from '../../config/settings.ts'
import { resetSandboxDatabase } from '../../store/sandbox-database.ts'

export interface SandboxFlags {
  readonly sandbox?: true
  readonly sandboxDate?: string
  readonly sandboxStore?: string
  readonly sandboxPublic?: true
}

export interface Sandbox {
  readonly options: ServerOptions
  /** Deletes its files, after the server has stopped. */
  remove(): void
}

export function withSandboxFlags<Flags extends OptionValues>(command: Command<[], Flags>) {
  return command
    .option('--sandbox', 'serve generated data from a temporary database that is deleted at the end')
    .option('--sandbox-date <day>', 'date that determines the data, and is today (default: data up to yesterday)')
    .option('--sandbox-store <url>', 'use postgres://…, an empty database or an earlier sandbox, which is recreated')
    .option('--sandbox-public', 'allow other hosts; generates secrets and prints them once')
}

/** Rejects sandbox flags without --sandbox, because they would have no effect. */
export function rejectSandboxFlags(flags: SandboxFlags): void {
  const { sandboxDate, sandboxStore, sandboxPublic } = flags
  if ((sandboxDate ?? sandboxStore ?? sandboxPublic) !== undefined) throw usageError('Sandbox flags require --sandbox.')
}

/** Creates and fills a sandbox. Throws an `OperatorError` (78) when it would open a configured database. */
export async function openSandbox(
  flags: SandboxFlags,
  configuration: Configuration,
  runtime: Runtime,
): Promise<Sandbox> {
  const isPublic = flags.sandboxPublic ?? false
  const date = flags.sandboxDate === undefined ? dateInZone(sandboxZone, runtime.clock()) : parseDay(flags.sandboxDate)
  const masterKey = isPublic ? runtime.random(32) : createHash('sha256').update('dagsverk').digest()
  const accounts = isPublic ? secretAccounts(runtime.random) : knownAccounts
  const settings = { ...sandboxConfig(configuration, isPublic), masterKey: masterKey.toString('base64') }
  if (flags.sandboxStore !== undefined) await emptyDatabase(flags.sandboxStore)

  const dataDir = mkdtempSync(join(tmpdir(), 'dagsverk-sandbox-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const databaseUrl = flags.sandboxStore ?? `sqlite:${join(dataDir, 'dagsverk.db')}`
  const config: Config = {
    ...settings,
    dataDir,
    databaseUrl,
    // A temporary database is never restored.
    exportJournal: null,
    auditAnchors: null,
  }
  try {
    await fillDatabase(config, accounts, date)
  } catch (error) {
    remove()
    throw error
  }
  const options: ServerOptions = {
    config,
    hashCost: sandboxHashCost,
    isSandbox: true,
    ...(flags.sandboxDate === undefined ? {} : { today: date }),
    api: { headers: { 'X-Sandbox': 'true' }, middleware: injectFault },
    onListening: async (_store, address) => runtime.printMessage(formatSandboxWelcome(address, accounts, date)),
  }
  return { options, remove }
}

function parseDay(text: string): string {
  if (parseDateWithoutZone(text) !== text || text < String(yearMin + historyYears))
    throw usageError(`--sandbox-date requires a date like 2026-11-16, not "${text}".`)
  return text
}

/** The configuration of the sandbox: only the listening address and the log level, unless it is public. */
function sandboxConfig({ config, origins }: Configuration, isPublic: boolean): Config {
  if (origins.get('databaseUrl') !== 'default')
    throw configurationError(
      `${origins.get('databaseUrl')} names a database, which a sandbox never opens. Remove it, or use --sandbox-store.`,
    )
  const own: Config = {
    ...config,
    queryCredentials: 'allow',
    workers: 1,
    // A sandbox sends no mail.
    smtpUrl: '',
    // Its people are generated.
    oidcIssuer: '',
  }
  if (isPublic) return own
  if (!isLoopbackHost(config.host))
    throw configurationError(
      `The secrets of a sandbox are public, so it listens only on this machine and not on ${config.host}. Use --sandbox-public to generate secrets.`,
    )
  const none = parseNetworks([])
  return { ...own, publicUrl: '', allowedHosts: [], trustProxy: none, behindProxy: 'off', allowHttp: none }
}

async function emptyDatabase(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw configurationError('--sandbox-store requires postgres://USER@HOST/DATABASE.')
  const { password, searchParams } = new URL(url)
  if (password !== '' || searchParams.has('password'))
    throw configurationError(
      '--sandbox-store contains a password, and all users of the machine can read arguments. Use PGPASSWORD instead.',
    )
  if (!(await withDatabaseErrors(resetSandboxDatabase(url))))
    throw configurationError(
      'The database of --sandbox-store contains data that was not created by a sandbox. Use an empty one.',
    )
}

async function fillDatabase(config: Config, accounts: readonly SandboxAccount[], date: string): Promise<void> {
  const key = parseMasterKey(config.masterKey)
  if (key === null) throw new Error('invalid master key')
  await withOpenStore({ url: config.databaseUrl, canCreate: true }, (store) =>
    fillSandbox(store, { accounts, pepper: key.pepper, date }),
  )
}
