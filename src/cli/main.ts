// Command line: registers all commands and maps errors to exit codes.
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { version } from '../server/version.ts'
import { currentWorker } from '../server/workers/worker.ts'
import type { Runtime } from '../server/environment.ts'
import { ApiError } from '../errors/api-error.ts'
import { exitCodes, OperatorError, toFileError } from '../lib/operator-error.ts'

/** Runs a command. Errors are printed as messages and mapped to exit codes. */
export async function runCommand(args: readonly string[], runtime: Runtime): Promise<number> {
  try {
    const words = withDefaultCommand(args)
    const program = await commandLine(runtime, words[0])
    await program.parseAsync(words, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    return exitCodeOf(error, runtime)
  } finally {
    currentWorker()?.disconnect()
  }
}

type AddCommand = (program: Command, runtime: Runtime) => void

/** By name, in the order of the help text. Each is loaded when it is called, so that the server starts sooner. */
const commands: ReadonlyMap<string, () => Promise<AddCommand>> = new Map(
  Object.entries({
    serve: async () => (await import('./commands/serve.ts')).addServeCommand,
    migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
    company: async () => (await import('./commands/company.ts')).addCompanyCommands,
    key: async () => (await import('./commands/key.ts')).addKeyCommands,
    user: async () => (await import('./commands/user.ts')).addUserCommands,
    mail: async () => (await import('./commands/mail.ts')).addMailCommands,
    webhook: async () => (await import('./commands/webhook.ts')).addWebhookCommands,
    import: async () => (await import('./commands/import.ts')).addImportCommands,
    destination: async () => (await import('./commands/destination.ts')).addDestinationCommand,
    config: async () => (await import('./commands/config.ts')).addConfigCommand,
    health: async () => (await import('./commands/health.ts')).addHealthCommand,
    audit: async () => (await import('./commands/audit.ts')).addAuditCommands,
    doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
    backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
    restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
    export: async () => (await import('./commands/export.ts')).addExportCommands,
    service: async () => (await import('./commands/service-install.ts')).addServiceCommand,
    routes: async () => (await import('./commands/routes.ts')).addRoutesCommand,
    openapi: async () => (await import('./commands/openapi.ts')).addOpenapiCommand,
    completion: async () => (await import('./commands/completion.ts')).addCompletionCommand,
  }),
)

/** The command of this name alone; all commands, where there is none of this name. */
export async function commandLine(runtime: Runtime, name = ''): Promise<Command> {
  const program = new Command('dagsverk')
    .description('Server for the revenue, directory and material data of several companies.')
    .version(version)
    .showHelpAfterError('Use --help for usage.')
    .addHelpText('after', overview)
  // A completion script names all commands.
  const called = name === 'completion' ? undefined : commands.get(name)
  const loads = called === undefined ? [...commands.values()] : [called]
  for (const add of await Promise.all(loads.map((load) => load()))) add(program, runtime)
  for (const command of withSubcommands(program))
    command
      .exitOverride()
      .configureOutput({ writeOut: (text) => runtime.print(text), writeErr: (text) => runtime.printMessage(text) })
  return program
}

export function withSubcommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

function withDefaultCommand(args: readonly string[]): string[] {
  const [first = ''] = args
  const isGlobalFlag = ['-h', '--help', '-V', '--version'].includes(first)
  return (first === '' || first.startsWith('-')) && !isGlobalFlag ? ['serve', ...args] : [...args]
}

function exitCodeOf(error: unknown, runtime: Runtime): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  const known = error instanceof OperatorError ? error : toFileError(error)
  if (known !== null) {
    runtime.printMessage(`dagsverk: ${known.message}\n`)
    // By 70 a worker says that the database is unavailable, and is restarted until it is available.
    return known === error || currentWorker() === null ? known.exitCode : exitCodes.failure
  }
  if (error instanceof ApiError) {
    runtime.printMessage(`dagsverk: ${error.message}\n`)
    return error.status === 503 ? exitCodes.storage : exitCodes.failure
  }
  runtime.printMessage(`dagsverk: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
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
