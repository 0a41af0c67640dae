// Runs one server: opens its database, listens, and stops when the end comes.
import { hostname } from 'node:os'
import { forgetReplies, RunningKeys } from '#api/idempotency.ts'
import { createApi, type ApiOptions } from '#api/server.ts'
import { appEndpoints } from '#app/endpoints.ts'
import { Gate } from '#auth/gate.ts'
import type { HashCost } from '#auth/password-hash.ts'
import { rateOf } from '#auth/rate-limit.ts'
import { Sessions } from '#auth/sessions.ts'
import { makeDataFolder } from '#cli/configured.ts'
import { masterKeyOf, requireMasterKey } from '#cli/master-key-file.ts'
import { reached } from '#cli/opened.ts'
import { onPort, openDoor } from '#cli/ports.ts'
import { reloaded } from '#cli/reload.ts'
import { version } from '#cli/version.ts'
import { thisWorker } from '#cli/worker.ts'
import type { World } from '#cli/world.ts'
import type { Config, Configuration } from '#config.ts'
import { lineBuffer } from '#http/log.ts'
import type { MetricsDoor } from '#http/metrics-door.ts'
import type { HttpServer } from '#http/server.ts'
import { dayIn } from '#lib/civil-date.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { openExportJournal, recordsIn, type ExportJournal } from '#journal/export-journal.ts'
import { replayJournal } from '#materials/replay-journal.ts'
import { startMetrics, textOf, type Watched } from '#metrics/metrics.ts'
import { JournaledStore } from '#store/journaled-store.ts'
import { JournalKeeper } from '#store/journal-keeper.ts'
import { openStore, type OpenOptions } from '#store/open-store.ts'
import type { Store } from '#store/store.ts'

/** A server, and what makes it another one than the next. */
export interface Served {
  readonly config: Config
  readonly hashCost: HashCost
  readonly api: Pick<ApiOptions, 'headers' | 'around' | 'onOwned'>
  /** The day it is in a sandbox, where every day is the same. */
  readonly today?: string
  /** Only the benchmark commits each act alone. */
  readonly storage?: Pick<OpenOptions, 'isGrouping'>
  /** The configuration as it would be now, where one is read again. */
  readonly configureAgain?: () => Configuration
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
    const journal = await journalOf(config)
    const reason = await serveFrom(await keptIn(journal, store, world), served, world, end.promise)
    await journal?.close()
    if (reason === 'broken')
      throw new OperatorError(
        'The storage failed, so the server stopped. Look at the disk before you start it again.',
        exitCodes.storage,
      )
  } finally {
    await store.close()
  }
}

/** None on PostgreSQL unless a folder for it is named: there is no place that is surely outside the database. */
const journalOf = async ({ exportJournal: folder }: Config): Promise<ExportJournal | null> => {
  if (folder === null) return null
  const server = `${hostname()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')}-${thisWorker()?.id ?? 0}`
  return openExportJournal({ folder, server })
}

/** The store with its journal, both brought to where the other is. */
const keptIn = async (
  journal: ExportJournal | null,
  store: Store,
  world: World,
): Promise<Store> => {
  if (journal === null) return store
  const { extents, folder } = journal
  const done = await replayJournal({
    store,
    extents,
    records: () => recordsIn(folder),
    clock: world.clock,
  })
  if (done > 0) world.tell(`The export journal knew ${done} exports that the database had lost.\n`)
  const keeper = new JournalKeeper(journal, store)
  await keeper.keepAll()
  return new JournaledStore(store, keeper)
}

/** Gives the reason back when every accepted request is answered. */
const serveFrom = async (
  store: Store,
  served: Served,
  world: World,
  end: Promise<Reason>,
): Promise<Reason> => {
  let { config } = served
  const worker = thisWorker()
  const { pepper } = await masterKeyOf(store, config, world)
  const { clock, random } = world
  const minting = { random, clock, hashCost: served.hashCost, pepper }
  const { publicUrl, workers } = config
  const gate = new Gate({
    ...minting,
    store,
    publicUrl,
    processes: workers,
    // Read at each use, for they may be changed while it serves.
    get trustProxy() {
      return config.trustProxy
    },
    get allowHttp() {
      return config.allowHttp
    },
    get rate() {
      return config.rateLimit === null ? null : rateOf(Math.ceil(config.rateLimit / workers))
    },
    get refusesQuery() {
      return config.queryCredentials === 'deny'
    },
    onTrouble: (problem) => api.log.error({ err: problem }, 'a note beside a request'),
  })
  const degraded = new Set<string>()
  const sessions = new Sessions({
    ...minting,
    store,
    get trustProxy() {
      return config.trustProxy
    },
    guard: gate.guard,
  })
  const today = served.today
  const app = {
    store,
    gate,
    sessions,
    clock,
    today: (zone: string) => today ?? dayIn(zone, clock()),
    isSandbox: today !== undefined,
  }
  const api = createApi({
    ...served.api,
    beside: appEndpoints(app, random),
    store,
    gate,
    clock,
    minting,
    runningKeys: new RunningKeys(),
    version,
    publicUrl,
    get allowedHosts() {
      return config.allowedHosts
    },
    get trustProxy() {
      return config.trustProxy
    },
    degraded: () => [...degraded],
    log: {
      level: config.logLevel,
      stream: lineBuffer((text) => world.print(text)),
      ...(worker === null ? {} : { worker: worker.id }),
    },
    onAnswer: (answered) => metrics?.observe(answered),
  })
  const metrics =
    config.metricsPort === null ? null : await startMetrics(watching(gate, api, store))
  const { configureAgain } = served
  if (configureAgain !== undefined)
    world.onReload(() => {
      config = reloaded(config, configureAgain, api.log)
      api.log.level = config.logLevel
    })
  const tidy = () =>
    void Promise.all([forgetReplies(store, world.clock()), sessions.tidy()]).catch(
      (error: unknown) => api.log.error({ err: error }, 'what is over stays'),
    )
  const tidying = setInterval(tidy, hourMs)
  const doors: MetricsDoor[] = []
  try {
    const { host, port, metricsPort } = config
    const address = await onPort(api.listen(port, host), { host, port, setting: 'port' })
    if (worker !== null) {
      if (metrics !== null) worker.counts(metrics)
      worker.serves(address)
      return await end
    }
    if (metrics !== null && metricsPort !== null)
      doors.push(await openDoor(metricsPort, async () => textOf([await metrics.snapshot()])))
    world.tell(`dagsverk ${version} serves on ${address}\n`)
    await served.welcome(store, publicUrl || address)
    if (store.isSuspect) void lookForDamage(store, api.log, degraded)
    return await end
  } finally {
    clearInterval(tidying)
    for (const door of doors) door.close()
    await api.stop()
    await gate.settled()
    worker?.leave()
  }
}

const watching = (gate: Gate, api: HttpServer, store: Store): Watched => ({
  gate: () => gate.load(),
  http: () => api.load(),
  store: () => store.load(),
})

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
