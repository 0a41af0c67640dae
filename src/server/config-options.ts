// Commands that are configured: the flags of the settings they need, and the configuration these make.
import { mkdirSync } from 'node:fs'
import type { Command } from 'commander'
import type { World } from './environment.ts'
import { readConfiguration, type Configuration } from '../config/read-config.ts'
import { flag, settings, type Config, type SettingName } from '../config/settings.ts'

/** Enough for a command that opens the database. */
export const databaseSettings: readonly SettingName[] = ['dataDir', 'databaseUrl', 'masterKey']

/** Enough for a command that makes a link, or a letter with one. */
export const mailSettings: readonly SettingName[] = [
  ...databaseSettings,
  'host',
  'port',
  'publicUrl',
  'smtpUrl',
  'mailFrom',
]

/** Gives the command a flag for each setting. What is always a secret has none: only the file it is in. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  command.option('--config <file>', 'config file (default: dagsverk.json in the data folder)')
  for (const name of names) {
    const { says, isSecret, absent } = settings[name]
    const ending = absent === '' ? '' : ` (default: ${absent})`
    if (!isSecret || name === 'databaseUrl') command.option(`${flag(name)} <value>`, says + ending)
    if (isSecret) command.option(`${flag(`${name}File`)} <file>`, `file that holds: ${says}`)
  }
  return command
}

/** The configuration of a command as it was called; what looks like a mistake is told. */
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

/** The folder of the database, the master key and the set-up link is for the server's own user. */
export function makeDataFolder({ dataDir }: Config): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}
