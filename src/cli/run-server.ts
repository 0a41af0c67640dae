// Runs one server: opens its database, listens, and stops when the end comes.
import { forgetReplies, RunningKeys } from '#api/idempotency.ts'
import { createApi, type ApiOptions } from '#api/server.ts'
import { Gate } from '#auth/gate.ts'
import type { HashCost } from '#auth/password-hash.ts'
import { rateOf } from '#auth/rate-limit.ts'
import { makeDataFolder } from '#cli/configured.ts'
import { masterKeyOf, requireMasterKey } from '#cli/master-key-file.ts'
import { reached } from '#cli/opened.ts'
import { version } from '#cli/version.ts'
import type { World } from '#cli/world.ts'
import type { Config } from '#config.ts'
import { lineBuffer } from '#http/log.ts'
import type { HttpServer } from '#http/server.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { openStore, type OpenOptions } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'

/** A server, and what makes it another one than the next. */
export interface Served {
  readonly config: Config
  readonly hashCost: HashCost
  readonly api: Pick<ApiOptions, 'headers' | 'around' | 'services' | 'onOwned'>
  /** Only the benchmark commits each act alone. */
  readonly storage?: Pick<OpenOptions, 'isGrouping'>
  /** Tells whoever started it how to go on, once it listens. */
  readonly welcome: (store: Store, address: string) => Promise<void>
}

/** Why it ends: somebody asked, or its storage cannot be trusted any more. */
export type Reason = 'asked' | 'broken'

/** Serves until the end comes, and answers every request that was accepted before it. */
export const runServer = async (
  served: Served,
  world: World,
  end: PromiseWithResolvers<Reason>,
): Promise<void> => {
  const { config } = served
  requireMasterKey(config)
  makeDataFolder(config)
  const store = await reached(
    openStore({
      ...served.storage,
      url: config.databaseUrl,
      isCreating: true,
      isServing: true,
      onStorageError: () => end.resolve('broken'),
    }),
  )
  try {
    const reason = await serveFrom(store, served, world, end.promise)
    if (reason === 'broken')
      throw new OperatorError(
        'The storage failed, so the server stopped. Look at the disk before you start it again.',
        exitCodes.storage,
      )
  } finally {
    await store.close()
  }
}

/** Gives the reason back when every accepted request is answered. */
const serveFrom = async (
  store: Store,
  served: Served,
  world: World,
  end: Promise<Reason>,
): Promise<Reason> => {
  const { config } = served
  const { pepper } = await masterKeyOf(store, config, world)
  const { clock, random } = world
  const minting = { random, clock, hashCost: served.hashCost, pepper }
  const gate = new Gate({
    ...minting,
    store,
    trustProxy: config.trustProxy,
    allowHttp: config.allowHttp,
    rate: config.rateLimit === null ? null : rateOf(config.rateLimit),
    publicUrl: config.publicUrl,
    onTrouble: (problem) => api.log.error({ err: problem }, 'a note beside a request'),
  })
  const degraded = new Set<string>()
  const api = createApi({
    ...served.api,
    store,
    gate,
    clock,
    minting,
    runningKeys: new RunningKeys(),
    version,
    publicUrl: config.publicUrl,
    allowedHosts: config.allowedHosts,
    trustProxy: config.trustProxy,
    degraded: () => [...degraded],
    log: { level: config.logLevel, stream: lineBuffer((text) => world.print(text)) },
  })
  const tidy = () =>
    void forgetReplies(store, world.clock()).catch((error: unknown) =>
      api.log.error({ err: error }, 'answers older than their keys stay'),
    )
  const tidying = setInterval(tidy, hourMs)
  try {
    const address = await listen(api, config)
    world.tell(`dagsverk ${version} serves on ${address}\n`)
    await served.welcome(store, config.publicUrl || address)
    if (store.isSuspect) void lookForDamage(store, api.log, degraded)
    return await end
  } finally {
    clearInterval(tidying)
    await api.stop()
    await gate.settled()
  }
}

/** After a server that was killed: beside the requests, and told where somebody watches. */
const lookForDamage = async (
  store: Store,
  log: HttpServer['log'],
  degraded: Set<string>,
): Promise<void> => {
  try {
    const findings = await store.examine()
    if (findings.length === 0) return
    degraded.add('database-damaged')
    log.error({ findings }, 'the database is damaged: put a backup in its place')
  } catch (error) {
    log.warn({ err: error }, 'the database could not be looked through')
  }
}

const hourMs = 3_600_000

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
