// Reads the configuration: flags, then environment, then file, then defaults.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { closestMatch } from '../lib/closest-match.ts'
import { isLoopbackHost } from '../lib/network.ts'
import { configurationError, messageOf } from '../lib/operator-error.ts'
import { mapNames } from '../lib/pick.ts'
import {
  flagName,
  settingNames,
  settings,
  variableName,
  variablePrefix,
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
    (name === 'dataDir' && sources.environment[defaultDataDirVariable]) || (settings[name].default ?? '')
  const dataDirText = fromFlagsOrEnvironment(sources, 'dataDir')?.text ?? defaultOf('dataDir')
  const context = { cwd: sources.cwd, dataDir: resolve(sources.cwd, dataDirText), databaseUrl: '' }
  const file = readConfigFile(sources, context.dataDir)
  const origins = new Map<SettingName, string>()

  const read = <Name extends SettingName>(name: Name): Config[Name] => {
    const { parse, isSecret } = settings[name]
    const { text, source } = fromFlagsOrEnvironment(sources, name) ??
      fromFile(sources, file, name) ?? { text: defaultOf(name), source: 'default' }
    origins.set(name, source)
    try {
      return parse(text, context)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw configurationError(`${source}${isSecret ? '' : ` "${text}"`} is not valid: ${error.message}.`)
    }
  }

  context.dataDir = read('dataDir')
  context.databaseUrl = read('databaseUrl')
  const config = mapNames<Config>(settingNames, read)
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
  if (config.publicUrl === '' && !isLoopbackHost(config.host))
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
  const text = readText(path).trim()
  if (text === '') throw configurationError(`${setting}: ${path} is empty.`)
  return text
}

interface RawSetting {
  readonly text: string
  readonly source: string
}

/** The value from flags or the environment; of a secret also from the file that they name. */
function fromFlagsOrEnvironment(sources: ConfigSources, name: SettingName): RawSetting | undefined {
  const given = findText(sources, name)
  if (given !== undefined || !settings[name].isSecret) return given
  const file = findText(sources, `${name}File`)
  return file && { ...file, text: readSecretFile(resolve(sources.cwd, file.text), file.source) }
}

/** An empty text counts as not set. */
function findText({ flags, environment }: ConfigSources, name: string): RawSetting | undefined {
  const [flag, variable] = [flagName(name), variableName(name)]
  if (flags[name]) return { text: flags[name], source: flag }
  return environment[variable] ? { text: environment[variable], source: variable } : undefined
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
  const values = parseObject(readText(path), path)
  for (const name of values.keys())
    if (!knownNames.includes(name))
      throw configurationError(`There is no setting "${name}" for ${path}.${didYouMean(name, knownNames)}`)
  if (settingNames.some((name) => settings[name].isSecret && values.has(name)))
    readSecretFile(path, 'A config file that contains a secret')
  return { path, values }
}

/** In the file; a secret may be that of another file. */
const knownNames = settingNames.flatMap((name) => (settings[name].isSecret ? [name, `${name}File`] : [name]))

/** Without the byte order mark that some editors write. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    throw configurationError(`${path} cannot be read: ${messageOf(error)}.`)
  }
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

/** Warnings for unknown variables, which would otherwise be ignored silently. */
function unknownVariables(environment: Environment): string[] {
  const known = [variableName('config'), defaultDataDirVariable, ...knownNames.map(variableName)]
  return Object.keys(environment)
    .filter((name) => name.startsWith(variablePrefix) && !name.startsWith(`${variablePrefix}TEST_`))
    .filter((name) => !known.includes(name))
    .map((name) => `There is no setting ${name}.${didYouMean(name, known)}`)
}

function didYouMean(name: string, among: readonly string[]): string {
  const found = closestMatch(name, among)
  return found === undefined ? '' : ` Did you mean ${found}?`
}
