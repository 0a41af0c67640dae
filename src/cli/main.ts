// Command line: registers all commands and maps errors to exit codes.
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
import { currentWorker } from '../server/workers/worker.ts'
import type { Runtime } from '../server/environment.ts'
import { ApiError } from '../errors/api-error.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'

/** Runs a command. Errors are printed as messages and mapped to exit codes. */
export async function runCommand(args: readonly string[], runtime: Runtime): Promise<number> {
  const program = commandLine(runtime)
  try {
    await program.parseAsync(withDefaultCommand(args), { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    return exitCodeOf(error, runtime)
  } finally {
    currentWorker()?.disconnect()
  }
}

/** All commands, in the order of the help text. */
export function commandLine(runtime: Runtime): Command {
  const program = new Command('dagsverk')
    .description('Server for the revenue, directory and material data of several companies.')
    .version(version)
    .showHelpAfterError('Use --help for usage.')
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
  for (const add of adders) add(program, runtime)
  for (const command of withSubcommands(program))
    command.exitOverride().configureOutput({
      writeOut: (text) => runtime.print(text),
      writeErr: (text) => runtime.printMessage(text),
    })
  return program
}

export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** `serve` is the default command. */
function withDefaultCommand(args: readonly string[]): string[] {
  const [first = ''] = args
  const isGlobalFlag = ['-h', '--help', '-V', '--version'].includes(first)
  return (first === '' || first.startsWith('-')) && !isGlobalFlag ? ['serve', ...args] : [...args]
}

function exitCodeOf(error: unknown, runtime: Runtime): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof OperatorError) {
    runtime.printMessage(`dagsverk: ${error.message}\n`)
    return error.exitCode
  }
  if (error instanceof ApiError) {
    runtime.printMessage(`dagsverk: ${error.message}\n`)
    return error.status === 503 ? exitCodes.storage : exitCodes.failure
  }
  runtime.printMessage(
    `dagsverk: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  return exitCodes.failure
}

const overview = `
Examples:
  dagsverk                                   serve on http://127.0.0.1:8080
  dagsverk company add "Fjord AS"            add a company; prints its password once
  dagsverk key add "Fjord AS" --name kasse   add an API key for its tills

The default database is in ./data; --data-dir, --database-url or the environment
select another one. Exit codes: 0 success, 1 failure, 2 usage error,
69 unavailable, 70 storage error, 78 configuration error.
`
