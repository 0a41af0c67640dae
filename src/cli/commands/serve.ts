// `dagsverk serve`: runs the configured server or a sandbox.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { issueSetupToken, setupLinkMinutes } from '../../auth/tokens/first-run-token.ts'
import { readCommandConfiguration, withSettings } from '../../server/config-options.ts'
import { rejectRootOnForeignFolder } from '../../server/folder-owner.ts'
import type { ServerOptions } from '../../server/create-server.ts'
import { runServer } from '../../server/run-server.ts'
import type { StopReason } from '../../server/with-store.ts'
import { openSandbox, rejectSandboxFlags, withSandboxFlags } from './sandbox.ts'
import { runWorkers, startsWorkers } from '../../server/workers/workers.ts'
import type { Runtime } from '../../server/environment.ts'
import type { Configuration } from '../../config/read-config.ts'
import { settingNames, type Config } from '../../config/settings.ts'
import { ApiError } from '../../errors/api-error.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import type { Store } from '../../store/store.ts'

export function addServeCommand(program: Command, runtime: Runtime): void {
  const command = withSandboxFlags(program.command('serve'))
    .description('run the server (default command)')
    .option(
      '--accept-loss',
      'start although the SQLite database is missing or lacks changes, and write that to the audit',
    )
    .addHelpText('after', examples)
    .action(async (flags, called) => {
      const end = Promise.withResolvers<StopReason>()
      runtime.onStop(() => end.resolve('requested'))
      const configuration = readCommandConfiguration(called, runtime)
      if (!flags.sandbox) {
        rejectSandboxFlags(flags)
        const { config } = configuration
        rejectRootOnForeignFolder(config, 'serve')
        const options = {
          ...configuredOptions(config, runtime, () => readCommandConfiguration(called, runtime)),
          acceptsLoss: flags.acceptLoss ?? false,
        }
        return startsWorkers(config.workers) ? runWorkers(options, runtime, end) : runServer(options, runtime, end)
      }
      const sandbox = await openSandbox(flags, configuration, runtime)
      try {
        await runServer(sandbox.options, runtime, end)
      } finally {
        sandbox.remove()
      }
    })
  withSettings(command, settingNames)
}

function configuredOptions(config: Config, runtime: Runtime, configureAgain: () => Configuration): ServerOptions {
  return {
    config,
    rereadConfiguration: configureAgain,
    hashCost: runtime.hashCost,
    api: { onSetUp: () => rmSync(setupLinkPath(config), { force: true }) },
    onListening: async (store, address) => {
      try {
        await printSetupLink(store, config, runtime, address)
      } catch (error) {
        // The server replies 503 until its database is available again.
        if (!(error instanceof ApiError)) throw error
        runtime.printMessage(`${error.message} A server without an owner needs a restart then.\n`)
      }
      runtime.reportReady?.()
    },
  }
}

/** Prints the set-up link of a server without an owner and writes it to a file that only its user can read. */
async function printSetupLink(store: Store, config: Config, runtime: Runtime, address: string): Promise<void> {
  const path = setupLinkPath(config)
  rmSync(path, { force: true })
  if (await isSetUp(store)) return
  const token = await store.inSystemTransaction((writer) => issueSetupToken(writer, runtime.random, runtime.clock()))
  // In the fragment, so that no proxy logs it.
  const link = `${address}/setup#${token}`
  writeFileSync(path, `${link}\n`, { mode: 0o600 })
  runtime.printMessage(
    `This server has no owner yet. Within ${setupLinkMinutes} minutes open\n  ${link}\nor run: dagsverk company add NAME\n`,
  )
}

function setupLinkPath({ dataDir }: Config): string {
  return join(dataDir, 'setup-link')
}

const examples = `
Examples:
  dagsverk                                      http://127.0.0.1:8080, SQLite in ./data
  dagsverk serve --sandbox                      generated data for testing clients, deleted at the end
  dagsverk serve --port 9000 --data-dir /srv/dagsverk
  DAGSVERK_DATABASE_URL_FILE=/etc/dagsverk/url DAGSVERK_MASTER_KEY_FILE=/etc/dagsverk/master.key \\
    dagsverk serve --host 0.0.0.0 --public-url https://tall.example.no
`
