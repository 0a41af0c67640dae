// `dagsverk config show`: what holds, and who said so.
import type { Command } from 'commander'
import { configurationOf, withSettings } from '../../server/config-options.ts'
import { printRows, type JsonFlag } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { settingNames, shown, variable } from '../../config/settings.ts'

export function addConfigCommand(program: Command, world: World): void {
  const config = program
    .command('config')
    .description('how the server is configured')
    .addHelpText('afterAll', examples)
  const command = config
    .command('show')
    .description('show every setting, its value and where it came from; secrets are not shown')
    .option('--json', 'print JSON')
    .action((flags: JsonFlag, called: Command) => {
      const { config: values, sources } = configurationOf(called, world)
      printRows(
        world,
        settingNames.map((name) => ({
          setting: variable(name),
          value: shown(name, values),
          source: sources.get(name) ?? '',
        })),
        flags,
      )
    })
  withSettings(command, settingNames)
}

const examples = `
Flags go before the environment, it before the config file, it before the defaults.
A secret may stand in a file of its own: DAGSVERK_MASTER_KEY_FILE, DAGSVERK_DATABASE_URL_FILE.

Examples:
  dagsverk config show
  DAGSVERK_PORT=9000 dagsverk config show --json
`
