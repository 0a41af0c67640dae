// Reads the configuration: flags, then environment, then file, then defaults.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nearest } from '../lib/closest-match.ts'
import { isLoopback, parseNetworks } from '../lib/network.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import {
  readIssuer,
  readLines,
  readList,
  readOneOf,
  readPort,
  readPublicUrl,
  readRate,
  readSender,
  readSmtpUrl,
  readWorkers,
} from './parsers.ts'
import {
  flag,
  logLevels,
  prefix,
  queryCredentials,
  settingNames,
  settings,
  variable,
  withoutPassword,
  type Config,
  type SettingName,
} from './settings.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process. No other file reads it. */
export const environment: Environment = process.env

export interface Given {
  /** By setting name; the file of a secret is `masterKeyFile`, the config file is `config`. */
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly environment: Environment
  /** The base of relative paths. */
  readonly cwd: string
}

export interface Configuration {
  readonly config: Config
  /** The origin of each value, for people. */
  readonly sources: ReadonlyMap<SettingName, string>
  /** Probable mistakes, like unknown variables. */
  readonly warnings: readonly string[]
}

/** Reads and checks all settings. Throws an `OperatorError` (78) that names the setting and what to do. */
export function readConfiguration(given: Given): Configuration {
  const dataDirAsked = asked(given, 'dataDir')?.text ?? settings.dataDir.absent
  const file = readConfigFile(given, resolve(given.cwd, dataDirAsked))
  const sources = new Map<SettingName, string>()

  const value = <T>(name: SettingName, read: (text: string) => T): T => {
    const found = asked(given, name) ??
      inFile(given, file, name) ?? { text: settings[name].absent, source: 'default' }
    sources.set(name, found.source)
    try {
      return read(found.text)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      const shown = settings[name].isSecret ? '' : ` "${found.text}"`
      throw refused(`${found.source}${shown} is not valid: ${error.message}.`)
    }
  }

  const dataDir = value('dataDir', (text) => resolve(given.cwd, text))
  const databaseUrl = value('databaseUrl', (text) => readDatabaseUrl(text, given.cwd, dataDir))
  const config: Config = {
    port: value('port', readPort),
    host: value('host', (text) => text),
    dataDir,
    databaseUrl,
    publicUrl: value('publicUrl', readPublicUrl),
    exportJournal: value('exportJournal', (text) => {
      if (text !== '') return resolve(given.cwd, text)
      return databaseUrl.startsWith('sqlite:') ? resolve(dataDir, 'export-journal') : null
    }),
    allowedHosts: value('allowedHosts', (text) => readList(text.toLowerCase())),
    trustProxy: value('trustProxy', (text) => parseNetworks(readList(text))),
    allowHttp: value('allowHttp', (text) => parseNetworks(readList(text))),
    rateLimit: value('rateLimit', readRate),
    logLevel: value('logLevel', (text) => readOneOf(logLevels, text)),
    metricsPort: value('metricsPort', (text) => (text === '' ? null : readPort(text))),
    queryCredentials: value('queryCredentials', (text) => readOneOf(queryCredentials, text)),
    workers: value('workers', readWorkers),
    smtpUrl: value('smtpUrl', readSmtpUrl),
    mailFrom: value('mailFrom', readSender),
    webhookNetworks: value('webhookNetworks', (text) => parseNetworks(readList(text))),
    masterKey: value('masterKey', (text) => text),
    oidcIssuer: value('oidcIssuer', readIssuer),
    oidcClientId: value('oidcClientId', (text) => text),
    oidcClientSecret: value('oidcClientSecret', (text) => text),
    oidcName: value('oidcName', (text) => text),
    oidcScopes: value('oidcScopes', (text) => text),
    oidcGroupsClaim: value('oidcGroupsClaim', (text) => text),
    oidcRoles: value('oidcRoles', readLines),
    oidcHosts: value('oidcHosts', (text) => readList(text.toLowerCase())),
  }
  refuseContradictions(config, sources)
  return { config, sources, warnings: unknownVariables(given.environment) }
}

function refuseContradictions(config: Config, sources: Configuration['sources']): void {
  if (
    sources.get('databaseUrl') === flag('databaseUrl') &&
    withoutPassword(config.databaseUrl).includes('***')
  )
    throw refused(
      `${flag('databaseUrl')} contains a password, and every user of this machine can read arguments: set ${variable('databaseUrl')} or ${variable('databaseUrlFile')} instead.`,
    )
  if (config.workers > 1 && config.databaseUrl.startsWith('sqlite:'))
    throw refused(
      `${sources.get('workers')} sets ${config.workers} processes, but SQLite supports one only: use PostgreSQL, or set it to 1.`,
    )
  if (config.smtpUrl !== '' && config.mailFrom === '')
    throw refused(
      `${sources.get('smtpUrl')} is set without a sender address: set ${variable('mailFrom')} to an address like dagsverk@example.no.`,
    )
  if (config.oidcIssuer !== '' && config.oidcClientId === '')
    throw refused(
      `${sources.get('oidcIssuer')} is set without a client id: set ${variable('oidcClientId')}.`,
    )
  if (config.publicUrl === '' && config.host !== 'localhost' && !isLoopback(config.host))
    throw refused(
      `${sources.get('host')} makes the server reachable from other machines (${config.host}), which requires a public URL: set ${variable('publicUrl')} to the URL that clients use, like https://tall.example.no.`,
    )
}

/** Reads a secret from a file that only its owner may read. Throws an `OperatorError` (78). */
export function readSecretFile(path: string, asked: string): string {
  const state = statSync(path, { throwIfNoEntry: false })
  if (state === undefined) throw refused(`${asked}: there is no file ${path}.`)
  if (state.isFile() && (state.mode & 0o077) !== 0)
    throw refused(
      `${asked}: ${path} can be read by other users (mode ${(state.mode & 0o777).toString(8)}). Run: chmod 600 ${path}`,
    )
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') throw refused(`${asked}: ${path} is empty.`)
  return text
}

interface Found {
  readonly text: string
  readonly source: string
}

/** The value from flags or the environment. An empty value counts as not set. */
function asked({ flags, environment, cwd }: Given, name: SettingName): Found | undefined {
  const places: readonly (readonly [source: string, text: string | undefined])[] = [
    [flag(name), flags[name]],
    [variable(name), environment[variable(name)]],
  ]
  for (const [source, text = ''] of places) if (text !== '') return { text, source }
  if (!settings[name].isSecret) return undefined
  const files: typeof places = [
    [flag(`${name}File`), flags[`${name}File`]],
    [variable(`${name}File`), environment[variable(`${name}File`)]],
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
function readConfigFile({ flags, environment, cwd }: Given, dataDir: string): ConfigFile | null {
  const named = flags.config ?? environment[variable('config')] ?? ''
  const path = named === '' ? join(dataDir, 'dagsverk.json') : resolve(cwd, named)
  if (!existsSync(path)) {
    if (named === '') return null
    throw refused(`There is no config file ${path}.`)
  }
  const values = parseObject(readFileSync(path, 'utf8'), path)
  const allowed = settingNames.flatMap((name) =>
    settings[name].isSecret ? [name, `${name}File`] : [name],
  )
  for (const name of values.keys())
    if (!allowed.includes(name))
      throw refused(`There is no setting "${name}" for ${path}.${meant(name, allowed)}`)
  if (settingNames.some((name) => settings[name].isSecret && values.has(name)))
    readSecretFile(path, 'A config file that contains a secret')
  return { path, values }
}

function parseObject(text: string, path: string): Map<string, unknown> {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    throw refused(`${path} is not valid JSON.`)
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw refused(`${path} must contain a JSON object.`)
  return new Map(Object.entries(read))
}

function inFile(given: Given, file: ConfigFile | null, name: SettingName): Found | undefined {
  if (file === null) return undefined
  const source = `"${name}" in ${file.path}`
  const value = file.values.get(name)
  if (Array.isArray(value)) return { text: value.join(','), source }
  if (typeof value === 'string' || typeof value === 'number') return { text: `${value}`, source }
  if (value !== undefined && value !== null)
    throw refused(`${source} must be a string, a number or a list.`)
  const secretPath = settings[name].isSecret ? file.values.get(`${name}File`) : undefined
  if (typeof secretPath !== 'string') return undefined
  const fileSource = `"${name}File" in ${file.path}`
  return { text: readSecretFile(resolve(given.cwd, secretPath), fileSource), source: fileSource }
}

function readDatabaseUrl(text: string, cwd: string, dataDir: string): string {
  if (text === '') return `sqlite:${join(dataDir, 'dagsverk.db')}`
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/.exec(text)?.groups?.path
  if (path === undefined || path.startsWith(':'))
    throw new RangeError('it must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE')
  return `sqlite:${resolve(cwd, path)}`
}

/** Warnings for unknown variables, which would otherwise be ignored silently. */
function unknownVariables(environment: Environment): string[] {
  const known = [
    variable('config'),
    ...settingNames.map(variable),
    ...settingNames
      .filter((name) => settings[name].isSecret)
      .map((name) => variable(`${name}File`)),
  ]
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !name.startsWith(`${prefix}TEST_`))
    .filter((name) => !known.includes(name))
    .map((name) => `There is no setting ${name}.${meant(name, known)}`)
}

function meant(name: string, among: readonly string[]): string {
  const found = nearest(name, among)
  return found === undefined ? '' : ` Did you mean ${found}?`
}

function refused(message: string): OperatorError {
  return new OperatorError(message, exitCodes.configuration)
}
