// Reads the configuration: flags, then environment, then file, then defaults.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { closestMatch } from '../lib/closest-match.ts'
import { isLoopback, parseNetworks } from '../lib/network.ts'
import { configurationError } from '../lib/operator-error.ts'
import { urlsOfServers } from '../lib/postgres-url.ts'
import {
  parseConnections,
  parseIssuer,
  parseLines,
  parseList,
  parseOneOf,
  parseOrigins,
  parsePort,
  parsePublicUrl,
  parseRate,
  parseSeconds,
  parseSender,
  parseSmtpUrl,
  parseWorkers,
} from './parsers.ts'
import {
  flagName,
  logLevels,
  onOff,
  variablePrefix,
  queryCredentials,
  settingNames,
  settings,
  variableName,
  withoutPassword,
  type Config,
  type SettingName,
} from './settings.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process. No other file reads it. */
export const environment: Environment = process.env

/** Set by tools/start.sh, where the data folder is in the clone and not in the working directory. */
const defaultDataDirVariable = `${variablePrefix}DEFAULT_DATA_DIR`

export interface ConfigSources {
  /** By setting name; the file of a secret is `masterKeyFile`, the config file is `config`. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly environment: Environment
  /** The base of relative paths. */
  readonly cwd: string
}

export interface Configuration {
  readonly config: Config
  /** The origin of each value, for people. */
  readonly origins: ReadonlyMap<SettingName, string>
  /** Probable mistakes, like unknown variables. */
  readonly warnings: readonly string[]
}

/** Reads and checks all settings. Throws an `OperatorError` (78) that names the setting and what to do. */
export function readConfiguration(sources: ConfigSources): Configuration {
  const defaultOf = (name: SettingName) =>
    (name === 'dataDir' && sources.environment[defaultDataDirVariable]) || settings[name].default
  const dataDirText = fromFlagsOrEnvironment(sources, 'dataDir')?.text ?? defaultOf('dataDir')
  const file = readConfigFile(sources, resolve(sources.cwd, dataDirText))
  const origins = new Map<SettingName, string>()

  const value = <T>(name: SettingName, read: (text: string) => T): T => {
    const found = fromFlagsOrEnvironment(sources, name) ??
      fromFile(sources, file, name) ?? { text: defaultOf(name), source: 'default' }
    origins.set(name, found.source)
    try {
      return read(found.text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const shown = settings[name].isSecret ? '' : ` "${found.text}"`
      throw configurationError(`${found.source}${shown} is not valid: ${error.message}.`)
    }
  }

  const dataDir = value('dataDir', (text) => resolve(sources.cwd, text))
  const databaseUrl = value('databaseUrl', (text) => parseDatabaseUrl(text, sources.cwd, dataDir))
  const config: Config = {
    port: value('port', parsePort),
    host: value('host', (text) => text),
    dataDir,
    databaseUrl,
    databaseWaitSeconds: value('databaseWaitSeconds', parseSeconds),
    publicUrl: value('publicUrl', parsePublicUrl),
    exportJournal: value('exportJournal', (text) => {
      if (text !== '') return resolve(sources.cwd, text)
      return databaseUrl.startsWith('sqlite:') ? resolve(dataDir, 'export-journal') : null
    }),
    auditAnchors: value('auditAnchors', (text) => (text === '' ? null : resolve(sources.cwd, text))),
    allowedHosts: value('allowedHosts', (text) => parseList(text.toLowerCase())),
    corsOrigins: value('corsOrigins', parseOrigins),
    trustProxy: value('trustProxy', (text) => parseNetworks(parseList(text))),
    behindProxy: value('behindProxy', (text) => parseOneOf(onOff, text)),
    allowHttp: value('allowHttp', (text) => parseNetworks(parseList(text))),
    rateLimit: value('rateLimit', parseRate),
    unauthenticatedConnections: value('unauthenticatedConnections', parseConnections),
    logLevel: value('logLevel', (text) => parseOneOf(logLevels, text)),
    metricsPort: value('metricsPort', (text) => (text === '' ? null : parsePort(text))),
    queryCredentials: value('queryCredentials', (text) => parseOneOf(queryCredentials, text)),
    workers: value('workers', parseWorkers),
    smtpUrl: value('smtpUrl', parseSmtpUrl),
    mailFrom: value('mailFrom', parseSender),
    webhookNetworks: value('webhookNetworks', (text) => parseNetworks(parseList(text))),
    masterKey: value('masterKey', (text) => text),
    oidcIssuer: value('oidcIssuer', parseIssuer),
    oidcClientId: value('oidcClientId', (text) => text),
    oidcClientSecret: value('oidcClientSecret', (text) => text),
    oidcName: value('oidcName', (text) => text),
    oidcScopes: value('oidcScopes', (text) => text),
    oidcGroupsClaim: value('oidcGroupsClaim', (text) => text),
    oidcRoles: value('oidcRoles', parseLines),
    oidcHosts: value('oidcHosts', (text) => parseList(text.toLowerCase())),
  }
  checkConsistency(config, origins)
  return { config, origins, warnings: unknownVariables(sources.environment) }
}

function checkConsistency(config: Config, origins: Configuration['origins']): void {
  if (origins.get('databaseUrl') === flagName('databaseUrl') && withoutPassword(config.databaseUrl).includes('***'))
    throw configurationError(
      `${flagName('databaseUrl')} contains a password, and every user of this machine can read arguments: set ${variableName('databaseUrl')} or ${variableName('databaseUrlFile')} instead.`,
    )
  if (config.behindProxy === 'on' && config.trustProxy.names.length === 0)
    throw configurationError(
      `${origins.get('behindProxy')} is on without a proxy: set ${variableName('trustProxy')} to its addresses.`,
    )
  if (config.workers > 1 && config.databaseUrl.startsWith('sqlite:'))
    throw configurationError(
      `${origins.get('workers')} sets ${config.workers} processes, but SQLite supports one only: use PostgreSQL, or set it to 1.`,
    )
  if (config.smtpUrl !== '' && config.mailFrom === '')
    throw configurationError(
      `${origins.get('smtpUrl')} is set without a sender address: set ${variableName('mailFrom')} to an address like dagsverk@example.no.`,
    )
  if (config.oidcIssuer !== '' && config.oidcClientId === '')
    throw configurationError(
      `${origins.get('oidcIssuer')} is set without a client id: set ${variableName('oidcClientId')}.`,
    )
  if (config.publicUrl === '' && config.host !== 'localhost' && !isLoopback(config.host))
    throw configurationError(
      `${origins.get('host')} makes the server reachable from other machines (${config.host}), which requires a public URL: set ${variableName('publicUrl')} to the URL that clients use, like https://tall.example.no.`,
    )
}

/** Reads a secret from a file that only its owner may read. Throws an `OperatorError` (78). */
export function readSecretFile(path: string, setting: string): string {
  const state = statSync(path, { throwIfNoEntry: false })
  if (state === undefined) throw configurationError(`${setting}: there is no file ${path}.`)
  if (state.isFile() && (state.mode & 0o077) !== 0)
    throw configurationError(
      `${setting}: ${path} can be read by other users (mode ${(state.mode & 0o777).toString(8)}). Run: chmod 600 ${path}`,
    )
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') throw configurationError(`${setting}: ${path} is empty.`)
  return text
}

interface RawSetting {
  readonly text: string
  readonly source: string
}

/** The value from flags or the environment. An empty value counts as not set. */
function fromFlagsOrEnvironment({ flags, environment, cwd }: ConfigSources, name: SettingName): RawSetting | undefined {
  const candidates: readonly (readonly [source: string, text: string | undefined])[] = [
    [flagName(name), flags[name]],
    [variableName(name), environment[variableName(name)]],
  ]
  for (const [source, text = ''] of candidates) if (text !== '') return { text, source }
  if (!settings[name].isSecret) return undefined
  const files: typeof candidates = [
    [flagName(`${name}File`), flags[`${name}File`]],
    [variableName(`${name}File`), environment[variableName(`${name}File`)]],
  ]
  for (const [source, path = ''] of files)
    if (path !== '') return { text: readSecretFile(resolve(cwd, path), source), source }
  return undefined
}

interface ConfigFile {
  readonly path: string
  readonly values: ReadonlyMap<string, unknown>
}

/** The file of `--config`, or `dagsverk.json` in the data folder if it exists. */
function readConfigFile({ flags, environment, cwd }: ConfigSources, dataDir: string): ConfigFile | null {
  const named = flags.config ?? environment[variableName('config')] ?? ''
  const path = named === '' ? join(dataDir, 'dagsverk.json') : resolve(cwd, named)
  if (!existsSync(path)) {
    if (named === '') return null
    throw configurationError(`There is no config file ${path}.`)
  }
  const values = parseObject(readFileSync(path, 'utf8'), path)
  const allowed = settingNames.flatMap((name) => (settings[name].isSecret ? [name, `${name}File`] : [name]))
  for (const name of values.keys())
    if (!allowed.includes(name))
      throw configurationError(`There is no setting "${name}" for ${path}.${didYouMean(name, allowed)}`)
  if (settingNames.some((name) => settings[name].isSecret && values.has(name)))
    readSecretFile(path, 'A config file that contains a secret')
  return { path, values }
}

function parseObject(text: string, path: string): Map<string, unknown> {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw configurationError(`${path} is not valid JSON.`)
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw configurationError(`${path} must contain a JSON object.`)
  return new Map(Object.entries(read))
}

function fromFile(sources: ConfigSources, file: ConfigFile | null, name: SettingName): RawSetting | undefined {
  if (file === null) return undefined
  const source = `"${name}" in ${file.path}`
  const value = file.values.get(name)
  if (Array.isArray(value)) return { text: value.join(','), source }
  if (typeof value === 'string' || typeof value === 'number') return { text: `${value}`, source }
  if (value !== undefined && value !== null) throw configurationError(`${source} must be a string, a number or a list.`)
  const secretPath = settings[name].isSecret ? file.values.get(`${name}File`) : undefined
  if (typeof secretPath !== 'string') return undefined
  const fileSource = `"${name}File" in ${file.path}`
  return { text: readSecretFile(resolve(sources.cwd, secretPath), fileSource), source: fileSource }
}

function parseDatabaseUrl(text: string, cwd: string, dataDir: string): string {
  if (text === '') return `sqlite:${join(dataDir, 'dagsverk.db')}`
  if (isPostgresUrl(text)) return text
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/.exec(text)?.groups?.path
  if (path === undefined || path.startsWith(':'))
    throw new RangeError(
      'it must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, where HOST may be HOST:PORT,HOST:PORT',
    )
  return `sqlite:${resolve(cwd, path)}`
}

function isPostgresUrl(text: string): boolean {
  const urls = /^postgres(ql)?:\/\//.test(text) ? urlsOfServers(text) : []
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url))) return false
  const parsed = urls.map((url) => new URL(url))
  const wanted = parsed[0]?.searchParams.get('target_session_attrs') ?? 'primary'
  if (wanted !== 'primary' && wanted !== 'read-write')
    throw new RangeError('target_session_attrs must be read-write or primary')
  return parsed.length === 1 || parsed.every(({ hostname }) => hostname !== '')
}

/** Warnings for unknown variables, which would otherwise be ignored silently. */
function unknownVariables(environment: Environment): string[] {
  const known = [
    variableName('config'),
    defaultDataDirVariable,
    ...settingNames.map(variableName),
    ...settingNames.filter((name) => settings[name].isSecret).map((name) => variableName(`${name}File`)),
  ]
  return Object.keys(environment)
    .filter((name) => name.startsWith(variablePrefix) && !name.startsWith(`${variablePrefix}TEST_`))
    .filter((name) => !known.includes(name))
    .map((name) => `There is no setting ${name}.${didYouMean(name, known)}`)
}

function didYouMean(name: string, among: readonly string[]): string {
  const found = closestMatch(name, among)
  return found === undefined ? '' : ` Did you mean ${found}?`
}
