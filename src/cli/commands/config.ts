// `dagsverk config show`: shows the effective configuration and its sources.
import type { Command } from '@commander-js/extra-typings'
import { readCommandConfiguration, withSettings } from '../../server/config-options.ts'
import { printRows } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { settingNames, displayValue, variableName } from '../../config/settings.ts'

export function addConfigCommand(program: Command, runtime: Runtime): void {
  const config = program.command('config').description('show the configuration').addHelpText('afterAll', examples)
  const command = config
    .command('show')
    .description('show each setting with its value and source; secrets are masked')
    .option('--json', 'print JSON')
    .action((flags, called) => {
      const { config: values, origins } = readCommandConfiguration(called, runtime)
      const table = settingNames.map((name) => ({
        setting: variableName(name),
        value: displayValue(name, values),
        source: origins.get(name) ?? '',
      }))
      printRows(runtime, table, flags)
    })
  withSettings(command, settingNames)
}

const examples = `
Precedence: flags, environment, config file, defaults.
Secrets can be read from files: DAGSVERK_MASTER_KEY_FILE, DAGSVERK_DATABASE_URL_FILE.

Examples:
  dagsverk config show
  DAGSVERK_PORT=9000 dagsverk config show --json
`
