// Configuration options of commands: the flags, and the configuration they result in.
import { mkdirSync } from 'node:fs'
import type { Command } from 'commander'
import type { World } from './environment.ts'
import { readConfiguration, type Configuration } from '../config/read-config.ts'
import { flag, settings, type Config, type SettingName } from '../config/settings.ts'

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
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  command.option('--config <file>', 'config file (default: dagsverk.json in the data folder)')
  for (const name of names) {
    const { says, isSecret, absent } = settings[name]
    const ending = absent === '' ? '' : ` (default: ${absent})`
    if (!isSecret || name === 'databaseUrl') command.option(`${flag(name)} <value>`, says + ending)
    if (isSecret) command.option(`${flag(`${name}File`)} <file>`, `file that contains: ${says}`)
  }
  return command
}

/** Reads the configuration of a command call and prints its warnings. */
export function configurationOf(command: Command, world: World): Configuration {
  const flags = Object.fromEntries(
    Object.entries(command.opts()).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
  const { environment, cwd } = world
  const configuration = readConfiguration({ flags, environment, cwd })
  for (const warning of configuration.warnings) world.tell(`warning: ${warning}\n`)
  return configuration
}

export function configOf(command: Command, world: World): Config {
  return configurationOf(command, world).config
}

/** Creates the data folder with access for the user of the server only. */
export function makeDataFolder({ dataDir }: Config): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}
