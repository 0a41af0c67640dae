// `dagsverk serve`: opens the database, listens, and stops when it is told to.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { RunningKeys } from '#api/idempotency.ts'
import { createApi } from '#api/server.ts'
import { Gate } from '#auth/gate.ts'
import { rateOf } from '#auth/rate-limit.ts'
import { issueSetupToken, setupLinkMinutes } from '#auth/setup-link.ts'
import { configOf, makeDataFolder, withSettings } from '#cli/configured.ts'
import { masterKeyOf, requireMasterKey } from '#cli/master-key-file.ts'
import { reached } from '#cli/opened.ts'
import { version } from '#cli/version.ts'
import type { World } from '#cli/world.ts'
import { settingNames, type Config } from '#config.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { isSetUp } from '#store/accounts.ts'
import { openStore } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'

export const addServeCommand = (program: Command, world: World): void => {
  const command = program
    .command('serve')
    .description('serve the interface; this is what happens without a command')
    .addHelpText('after', examples)
    .action((_flags: unknown, called: Command) => serve(configOf(called, world), world))
  withSettings(command, settingNames)
}

const serve = async (config: Config, world: World): Promise<void> => {
  const end = Promise.withResolvers<Reason>()
  world.onStop(() => end.resolve('asked'))
  requireMasterKey(config)
  makeDataFolder(config)
  const store = await reached(
    openStore({
      url: config.databaseUrl,
      isCreating: true,
      onStorageError: () => end.resolve('broken'),
    }),
  )
  try {
    const reason = await serveFrom(store, config, world, end.promise)
    if (reason === 'broken')
      throw new OperatorError(
        'The storage failed, so the server stopped. Look at the disk before you start it again.',
        exitCodes.storage,
      )
  } finally {
    await store.close()
  }
}

type Reason = 'asked' | 'broken'

/** Serves until the end comes; gives the reason back when every accepted request is answered. */
const serveFrom = async (
  store: Store,
  config: Config,
  world: World,
  end: Promise<Reason>,
): Promise<Reason> => {
  const { pepper } = await masterKeyOf(store, config, world)
  const gate = new Gate({
    store,
    pepper,
    hashCost: world.hashCost,
    clock: world.clock,
    random: world.random,
    trustProxy: config.trustProxy,
    allowHttp: config.allowHttp,
    rate: config.rateLimit === null ? null : rateOf(config.rateLimit),
    publicUrl: config.publicUrl,
    onTrouble: (problem) => api.log.error({ err: problem }, 'a note beside a request'),
  })
  const api = createApi({
    store,
    gate,
    clock: world.clock,
    runningKeys: new RunningKeys(),
    version,
    publicUrl: config.publicUrl,
    allowedHosts: config.allowedHosts,
    log: { level: config.logLevel },
  })
  try {
    const address = await listen(api, config)
    world.tell(`dagsverk ${version} serves on ${address}\n`)
    await tellSetupLink(store, config, world, config.publicUrl || address)
    return await end
  } finally {
    await api.stop()
    await gate.settled()
  }
}

const listen = async (api: ReturnType<typeof createApi>, { host, port }: Config) => {
  try {
    return await api.listen(port, host)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        `Port ${port} of ${host} is in use. Set another one with --port or DAGSVERK_PORT.`,
        exitCodes.configuration,
      )
    throw error
  }
}

/** A server that nobody owns yet says how to become its owner, on the screen and in a file for its user alone. */
const tellSetupLink = async (
  store: Store,
  { dataDir }: Config,
  world: World,
  address: string,
): Promise<void> => {
  const path = join(dataDir, 'setup-link')
  rmSync(path, { force: true })
  if (await isSetUp(store)) return
  const token = await store.inHouseTransaction((writer) =>
    issueSetupToken(writer, world.random, world.clock()),
  )
  // After the #, so that it reaches no log of any proxy.
  const link = `${address}/setup#${token}`
  writeFileSync(path, `${link}\n`, { mode: 0o600 })
  world.tell(
    `This server has no owner yet. Within ${setupLinkMinutes} minutes open\n  ${link}\nor run: dagsverk company add NAME\n`,
  )
}

const examples = `
Examples:
  dagsverk                                      http://127.0.0.1:8080, SQLite in ./data
  dagsverk serve --port 9000 --data-dir /srv/dagsverk
  DAGSVERK_DATABASE_URL_FILE=/etc/dagsverk/url DAGSVERK_MASTER_KEY_FILE=/etc/dagsverk/master.key \\
    dagsverk serve --host 0.0.0.0 --public-url https://tall.example.no
`
