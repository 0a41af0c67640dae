// Configuration options of commands: the flags, and the configuration they result in.
import { mkdirSync } from 'node:fs'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Runtime } from './environment.ts'
import { rejectRootOnForeignFolder } from './folder-owner.ts'
import { readConfiguration, type Configuration } from '../config/read-config.ts'
import { flagName, settings, type Config, type SettingName } from '../config/settings.ts'
import { configurationError, toFileError } from '../lib/operator-error.ts'

/** Settings of commands that open the database. */
export const databaseSettings: readonly SettingName[] = ['dataDir', 'databaseUrl', 'masterKey']

/** Settings of commands that create links or send mail. */
export const mailSettings: readonly SettingName[] = [
  ...databaseSettings,
  'host',
  'port',
  'publicUrl',
  'smtpUrl',
  'mailFrom',
]

/** Adds a flag for each setting. Secrets have only a flag for the file that contains them. */
export function withSettings(command: CommandUnknownOpts, names: readonly SettingName[]): void {
  command.option('--config <file>', 'config file (default: dagsverk.json in the data folder)')
  for (const name of names) {
    const { description, isSecret, default: defaultValue } = settings[name]
    const ending = defaultValue === undefined ? '' : ` (default: ${defaultValue})`
    if (!isSecret || name === 'databaseUrl') command.option(`${flagName(name)} <value>`, description + ending)
    if (isSecret) command.option(`${flagName(`${name}File`)} <file>`, `file that contains: ${description}`)
  }
}

/** Reads the configuration of a command that opens the data folder or the database, and prints its warnings. */
export function readCommandConfig(command: CommandUnknownOpts, runtime: Runtime): Config {
  const { config } = readCommandConfiguration(command, runtime)
  rejectRootOnForeignFolder(config, commandPath(command))
  return config
}

/** Reads the configuration of a command call and prints its warnings. */
export function readCommandConfiguration(command: CommandUnknownOpts, runtime: Runtime): Configuration {
  const flags = Object.fromEntries(
    Object.entries(command.opts()).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const { environment, cwd } = runtime
  const configuration = readConfiguration({ flags, environment, cwd })
  for (const warning of configuration.warnings) runtime.printMessage(`warning: ${warning}\n`)
  return configuration
}

/** `company add` */
export function commandPath(command: CommandUnknownOpts): string {
  const { parent } = command
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name()
}

/** Creates the data folder with access for the user of the server only. Throws an `OperatorError` (78) if it cannot. */
export function createDataFolder({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const message = toFileError(error)?.message
    throw message === undefined ? error : configurationError(`The data folder cannot be created: ${message}`)
  }
}
