// `dagsverk serve`: runs the configured server or a sandbox.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { issueSetupToken, setupLinkMinutes } from '../../auth/tokens/first-run-token.ts'
import { configurationOf, withSettings } from '../../server/config-options.ts'
import type { Served } from '../../server/create-server.ts'
import { runServer, type Reason } from '../../server/run-server.ts'
import { openSandbox, refuseSandboxFlags, withSandbox, type SandboxFlags } from './sandbox.ts'
import { runWorkers, startsWorkers } from '../../server/workers/workers.ts'
import type { World } from '../../server/environment.ts'
import type { Configuration } from '../../config/read-config.ts'
import { settingNames, type Config } from '../../config/settings.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import type { Store } from '../../store/store.ts'

export function addServeCommand(program: Command, world: World): void {
  const command = program
    .command('serve')
    .description('run the server (default command)')
    .addHelpText('after', examples)
    .action(async (flags: SandboxFlags, called: Command) => {
      const end = Promise.withResolvers<Reason>()
      world.onStop(() => end.resolve('asked'))
      const configuration = configurationOf(called, world)
      if (!flags.sandbox) {
        refuseSandboxFlags(flags)
        const { config } = configuration
        const served = configuredOptions(config, world, () => configurationOf(called, world))
        return startsWorkers(config.workers)
          ? runWorkers(served, world, end)
          : runServer(served, world, end)
      }
      const sandbox = await openSandbox(flags, configuration, world)
      try {
        await runServer(sandbox.served, world, end)
      } finally {
        sandbox.remove()
      }
    })
  withSandbox(withSettings(command, settingNames))
}

function configuredOptions(
  config: Config,
  world: World,
  configureAgain: () => Configuration,
): Served {
  return {
    config,
    configureAgain,
    hashCost: world.hashCost,
    api: { onOwned: () => rmSync(setupLinkPath(config), { force: true }) },
    welcome: (store, address) => printSetupLink(store, config, world, address),
  }
}

/** Prints the set-up link of a server without an owner and writes it to a file that only its user can read. */
async function printSetupLink(
  store: Store,
  config: Config,
  world: World,
  address: string,
): Promise<void> {
  const path = setupLinkPath(config)
  rmSync(path, { force: true })
  if (await isSetUp(store)) return
  const token = await store.inHouseTransaction((writer) =>
    issueSetupToken(writer, world.random, world.clock()),
  )
  // In the fragment, so that no proxy logs it.
  const link = `${address}/setup#${token}`
  writeFileSync(path, `${link}\n`, { mode: 0o600 })
  world.tell(
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
