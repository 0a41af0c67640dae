// `dagsverk migrate`: makes the database, or brings it to the schema of this program.
import { Argument, type Command } from 'commander'
import { configOf, makeDataFolder, withSettings } from '../../server/config-options.ts'
import { reached } from '../../server/with-store.ts'
import { printOne, type JsonFlag } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { inspectSchema, migrateDatabase } from '../../store/open-store.ts'

interface Flags extends JsonFlag {
  readonly dryRun?: boolean
}

export function addMigrateCommand(program: Command, world: World): void {
  const command = program
    .command('migrate')
    .description('make the database, or bring it up to date')
    .addArgument(new Argument('[status]', 'only say how far it is').choices(['status']))
    .option('--dry-run', 'the same as status')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (status: string | undefined, flags: Flags, called: Command) => {
      const config = configOf(called, world)
      if (status !== undefined || flags.dryRun) await showState(config.databaseUrl, world, flags)
      else {
        makeDataFolder(config)
        printOne(world, { done: await reached(migrateDatabase(config.databaseUrl)) }, flags)
      }
    })
  withSettings(command, ['dataDir', 'databaseUrl'])
}

async function showState(databaseUrl: string, world: World, flags: JsonFlag): Promise<void> {
  const { done, waiting, unknown } = await reached(inspectSchema(databaseUrl))
  printOne(world, { done, waiting, unknown }, flags)
  if (unknown.length > 0)
    throw new OperatorError(
      'The database was used by a newer dagsverk. Run that version or a newer one.',
      exitCodes.configuration,
    )
}

const examples = `
Examples:
  dagsverk migrate                 make ./data/dagsverk.db, or bring it up to date
  dagsverk migrate status          what was done, and what would be
  DAGSVERK_DATABASE_URL_FILE=/etc/dagsverk/url dagsverk migrate
`
