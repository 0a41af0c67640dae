// The command line: which commands there are, and how each of them ends.
import { Command, CommanderError } from 'commander'
import { addBackupCommand } from './commands/backup.ts'
import { addCompanyCommands } from './commands/company.ts'
import { addCompletionCommand } from './commands/completion.ts'
import { addConfigCommand } from './commands/config.ts'
import { addDestinationCommand } from './commands/destination.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addExportCommands } from './commands/export.ts'
import { addHealthCommand } from './commands/health.ts'
import { addImportCommands } from './commands/import.ts'
import { addKeyCommands } from './commands/key.ts'
import { addWebhookCommands } from './commands/webhook.ts'
import { addMailCommands } from './commands/mail.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addOpenapiCommand } from './commands/openapi.ts'
import { addRestoreCommand } from './commands/restore.ts'
import { addRoutesCommand } from './commands/routes.ts'
import { addServeCommand } from './commands/serve.ts'
import { addUserCommands } from './commands/user.ts'
import { version } from '../server/version.ts'
import { thisWorker } from '../server/workers/worker.ts'
import type { World } from '../server/environment.ts'
import { Fault } from '../errors/catalog.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'

/** Runs a command to its end. Whatever goes wrong is told in words; the exit code says what kind it was. */
export async function runCommand(args: readonly string[], world: World): Promise<number> {
  const program = commandLine(world)
  try {
    await program.parseAsync(withCommand(args), { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    return endOf(error, world)
  } finally {
    thisWorker()?.leave()
  }
}

/** Every command, in the order of their use. */
export function commandLine(world: World): Command {
  const program = new Command('dagsverk')
    .description('Server for revenue, staff and projects of several companies.')
    .version(version)
    .showHelpAfterError('Add --help for what there is.')
    .addHelpText('after', overview)
  const adders = [
    addServeCommand,
    addMigrateCommand,
    addCompanyCommands,
    addKeyCommands,
    addUserCommands,
    addMailCommands,
    addWebhookCommands,
    addImportCommands,
    addDestinationCommand,
    addConfigCommand,
    addHealthCommand,
    addDoctorCommand,
    addBackupCommand,
    addRestoreCommand,
    addExportCommands,
    addRoutesCommand,
    addOpenapiCommand,
    addCompletionCommand,
  ]
  for (const add of adders) add(program, world)
  for (const command of withSubcommands(program))
    command.exitOverride().configureOutput({
      writeOut: (text) => world.print(text),
      writeErr: (text) => world.tell(text),
    })
  return program
}

export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** Without a command it serves. */
function withCommand(args: readonly string[]): string[] {
  const [first = ''] = args
  const isAboutAll = ['-h', '--help', '-V', '--version'].includes(first)
  return (first === '' || first.startsWith('-')) && !isAboutAll ? ['serve', ...args] : [...args]
}

function endOf(error: unknown, world: World): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof OperatorError) {
    world.tell(`dagsverk: ${error.message}\n`)
    return error.exitCode
  }
  if (error instanceof Fault) {
    world.tell(`dagsverk: ${error.message}\n`)
    return error.status === 503 ? exitCodes.storage : exitCodes.failure
  }
  world.tell(
    `dagsverk: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  return exitCodes.failure
}

const overview = `
Examples:
  dagsverk                                   serve on http://127.0.0.1:8080
  dagsverk company add "Fjord AS"            a company, its password shown once
  dagsverk key add "Fjord AS" --name kasse   an API key for its tills

A command without a database of its own looks in ./data, or where --data-dir,
--database-url or the environment says. Exit codes: 0 done, 1 failed, 2 misused,
69 not available, 70 storage failed, 78 misconfigured.
`
