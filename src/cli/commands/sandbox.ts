// `dagsverk serve --sandbox`: a test account for everybody who writes a client, apart from everything configured.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { parseMasterKey } from '../../auth/tokens/master-key.ts'
import { reached } from '../../server/with-store.ts'
import type { Served } from '../../server/create-server.ts'
import { sandboxWelcome } from '../support/sandbox-welcome.ts'
import type { World } from '../../server/environment.ts'
import type { Configuration } from '../../config/read-config.ts'
import { dayText, isDay, yearMin } from '../../lib/calendar.ts'
import { parseNetworks, isLoopback } from '../../lib/network.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import {
  knownAccounts,
  sandboxHashCost,
  secretAccounts,
  type Account,
} from '../../sandbox/accounts.ts'
import { misbehave } from '../../sandbox/fault-injection.ts'
import { fillSandbox, historyYears } from '../../sandbox/sandbox.ts'
import { weekdayOf } from '../../sandbox/daily-revenue.ts'
import type { Config } from '../../config/settings.ts'
import { openStore } from '../../store/open-store.ts'
import { emptyForSandbox } from '../../store/sandbox-database.ts'

export interface SandboxFlags {
  readonly sandbox?: true
  readonly sandboxDate?: string
  readonly sandboxStore?: string
  readonly sandboxPublic?: true
}

export interface Sandbox {
  readonly served: Served
  /** Deletes what was made for it, once the server has let go of it. */
  remove(): void
}

export function withSandbox(command: Command): Command {
  return command
    .option('--sandbox', 'serve made-up data from a database that is deleted at the end')
    .option('--sandbox-date <day>', 'what the data is a function of (default: Monday of this week)')
    .option(
      '--sandbox-store <url>',
      'postgres://… instead: an empty database, or an earlier sandbox, which is made anew',
    )
    .option('--sandbox-public', 'let others reach it: secrets are made, and shown once')
}

/** Without the sandbox its flags mean nothing, and whoever wrote one expected something. */
export function refuseSandboxFlags(flags: SandboxFlags): void {
  const { sandboxDate, sandboxStore, sandboxPublic } = flags
  if ((sandboxDate ?? sandboxStore ?? sandboxPublic) !== undefined)
    throw new OperatorError('The flags of a sandbox need --sandbox beside them.', exitCodes.usage)
}

/** Makes a sandbox and fills it. Throws an `OperatorError` (78) rather than touch anything that is configured. */
export async function openSandbox(
  flags: SandboxFlags,
  configuration: Configuration,
  world: World,
): Promise<Sandbox> {
  const isPublic = flags.sandboxPublic ?? false
  const date =
    flags.sandboxDate === undefined ? mondayOf(world.clock()) : readDay(flags.sandboxDate)
  const masterKey = isPublic ? world.random(32) : createHash('sha256').update('dagsverk').digest()
  const accounts = isPublic ? secretAccounts(world.random) : knownAccounts
  const settings = {
    ...ownSettings(configuration, isPublic),
    masterKey: masterKey.toString('base64'),
  }
  if (flags.sandboxStore !== undefined) await empty(flags.sandboxStore)

  const dataDir = mkdtempSync(join(tmpdir(), 'dagsverk-sandbox-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  const databaseUrl = flags.sandboxStore ?? `sqlite:${join(dataDir, 'dagsverk.db')}`
  const config: Config = {
    ...settings,
    dataDir,
    databaseUrl,
    // What is forgotten at the end has nothing to come back to.
    exportJournal: null,
  }
  try {
    await fill(config, accounts, date)
  } catch (error) {
    remove()
    throw error
  }
  const served: Served = {
    config,
    hashCost: sandboxHashCost,
    today: date,
    api: { headers: { 'X-Sandbox': 'true' }, around: misbehave },
    welcome: async (_store, address) => world.tell(sandboxWelcome(address, accounts, date)),
  }
  return { served, remove }
}

/** The week's Monday, so that a working week sees one and the same data. `now` in microseconds. */
function mondayOf(now: number): string {
  const today = Math.floor(now / 86_400_000_000)
  return dayText(today - weekdayOf(today))
}

function readDay(text: string): string {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const isWritten = /^\d{4}-\d{2}-\d{2}$/.test(text)
  if (!isWritten || !isDay(year, month, day) || year < yearMin + historyYears)
    throw new OperatorError(
      `--sandbox-date takes a day like 2026-11-16, not "${text}".`,
      exitCodes.usage,
    )
  return text
}

/** What is left of the configuration: where to listen and what to log, and for a private one nothing of others. */
function ownSettings({ config, sources }: Configuration, isPublic: boolean): Config {
  if (sources.get('databaseUrl') !== 'default')
    throw refused(
      `${sources.get('databaseUrl')} names a database, and a sandbox never opens it: start one without it, or name another with --sandbox-store.`,
    )
  const own: Config = {
    ...config,
    rateLimit: null,
    queryCredentials: 'allow',
    workers: 1,
    // Made-up people have no mailbox, and real ones must get nothing from here.
    smtpUrl: '',
    // Its people are made up.
    oidcIssuer: '',
  }
  if (isPublic) return own
  if (config.host !== 'localhost' && !isLoopback(config.host))
    throw refused(
      `Everybody knows the secrets of a sandbox, so it listens on this machine alone, not on ${config.host}. With --sandbox-public it makes secrets of its own.`,
    )
  const nobody = parseNetworks([])
  return { ...own, publicUrl: '', allowedHosts: [], trustProxy: nobody, allowHttp: nobody }
}

async function empty(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw refused('--sandbox-store takes postgres://USER@HOST/DATABASE.')
  const { password, searchParams } = new URL(url)
  if (password !== '' || searchParams.has('password'))
    throw refused(
      '--sandbox-store holds a password, and arguments can be read by everybody on the machine: set PGPASSWORD instead.',
    )
  if (!(await reached(emptyForSandbox(url))))
    throw refused(
      'The database of --sandbox-store holds something that no sandbox has made. Name an empty one.',
    )
}

async function fill(config: Config, accounts: readonly Account[], date: string): Promise<void> {
  const key = parseMasterKey(config.masterKey)
  if (key === null) throw new Error('a master key that cannot be read')
  const store = await reached(openStore({ url: config.databaseUrl, isCreating: true }))
  try {
    await fillSandbox(store, { accounts, pepper: key.pepper, date })
  } finally {
    await store.close()
  }
}

function refused(message: string): OperatorError {
  return new OperatorError(message, exitCodes.configuration)
}
