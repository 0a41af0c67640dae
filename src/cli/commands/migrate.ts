// `dagsverk migrate`: creates or upgrades the database schema.
import { Argument, type Command } from '@commander-js/extra-typings'
import { readCommandConfig, createDataFolder, withSettings } from '../../server/config-options.ts'
import { checkDatabaseFile, LostData } from '../../server/lost-data.ts'
import { withDatabaseErrors } from '../../server/with-store.ts'
import { printOne, type JsonFlag } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { configurationError } from '../../lib/operator-error.ts'
import { describeUnknownMigrations } from '../../store/migrations/list.ts'
import { getSchemaState, migrateDatabase } from '../../store/open-store.ts'

export function addMigrateCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('migrate')
    .description('create or upgrade the database schema')
    .addArgument(new Argument('[status]', 'only show the applied and pending migrations').choices(['status']))
    .option('--dry-run', 'same as status')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (status, flags, called) => {
      const config = readCommandConfig(called, runtime)
      if (status !== undefined || flags.dryRun) await showState(config.databaseUrl, runtime, flags)
      else {
        createDataFolder(config)
        await checkDatabaseFile(config, new LostData({ isAccepted: false, runtime }))
        printOne(runtime, { done: await withDatabaseErrors(migrateDatabase(config.databaseUrl)) }, flags)
      }
    })
  withSettings(command, ['dataDir', 'databaseUrl'])
}

async function showState(databaseUrl: string, runtime: Runtime, flags: JsonFlag): Promise<void> {
  const { done, waiting, unknown } = await withDatabaseErrors(getSchemaState(databaseUrl))
  printOne(runtime, { done, waiting, unknown }, flags)
  const problem = describeUnknownMigrations('The database', done)
  if (problem !== null) throw configurationError(problem)
}

const examples = `
Examples:
  dagsverk migrate                 create or upgrade ./data/dagsverk.db
  dagsverk migrate status          show applied and pending migrations
  DAGSVERK_DATABASE_URL_FILE=/etc/dagsverk/url dagsverk migrate
`
