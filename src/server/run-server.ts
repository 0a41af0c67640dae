// Runs one server: opens its database, listens, and stops when the end comes.
import { forgetReplies } from '../api/write-pipeline/idempotency.ts'
import { assemble, type Assembled, type Served } from './create-server.ts'
import { makeDataFolder } from './config-options.ts'
import { withJournal } from './export-journal.ts'
import { requireMasterKey } from './master-key-file.ts'
import { reached, untilAsked } from './with-store.ts'
import { onPort, openDoor } from './ports.ts'
import { tellOfApp } from './warn-if-app-missing.ts'
import { version } from './version.ts'
import { thisWorker } from './workers/worker.ts'
import type { World } from './environment.ts'
import type { MetricsDoor } from '../http/metrics-server.ts'
import type { HttpServer } from '../http/server.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { foldHandOuts } from '../export/compact-retrievals.ts'
import { watchOver } from '../notifications/mail/alerts.ts'
import { textOf } from './metrics/metrics.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { callerLimits } from '../store/time-limits.ts'

/** Why it ends: somebody asked, or its storage cannot be trusted any more. */
export type Reason = 'asked' | 'broken'

/** Serves until the end comes, and answers every request that was accepted before it. */
export function runServer(
  served: Served,
  world: World,
  end: PromiseWithResolvers<Reason>,
): Promise<void> {
  return untilAsked(end.promise, async (signal, onServing) => {
    const { config } = served
    requireMasterKey(config)
    makeDataFolder(config)
    const store = await reached(
      openStore({
        ...served.storage,
        url: config.databaseUrl,
        isCreating: true,
        isServing: true,
        timeLimits: callerLimits,
        onStorageError: () => end.resolve('broken'),
        signal,
      }),
    )
    try {
      const reason = await withJournal(store, config, world, (kept) =>
        serveFrom(kept, served, world, { end: end.promise, onServing }),
      )
      if (reason === 'broken')
        throw new OperatorError(
          'The storage failed, so the server stopped. Look at the disk before you start it again.',
          exitCodes.storage,
        )
    } finally {
      await store.close()
    }
  })
}

/** Gives the reason back when every accepted request is answered. */
async function serveFrom(
  store: Store,
  served: Served,
  world: World,
  { end, onServing }: { end: Promise<Reason>; onServing: () => void },
): Promise<Reason> {
  const worker = thisWorker()
  const server = await assemble(store, served, world, worker)
  const { api, gate, metrics, carrier, events, degraded } = server
  const tidying = setInterval(() => void tidy(store, world, server), hourMs)
  const noting = setInterval(() => void note(server), noteEveryMs)
  const watching = setInterval(() => void watch(store, world, server), watchEveryMs)
  const telling = setInterval(() => void tellDue(server), tellEveryMs)
  carrier?.start()
  const { host, port, metricsPort, publicUrl } = served.config
  let door: MetricsDoor | null = null
  try {
    const on = { host, port, setting: 'port' } as const
    if (worker !== null) {
      const sockets = await Promise.race([worker.sockets(), end])
      if (typeof sockets === 'string') return sockets
      const address = await onPort(api.listenOn(sockets), on)
      onServing()
      if (metrics !== null) worker.counts(metrics)
      worker.serves(address)
      return await end
    }
    const address = await onPort(api.listen(port, host), on)
    onServing()
    if (metrics !== null && metricsPort !== null)
      door = await openDoor(metricsPort, async () => textOf([await metrics.snapshot()]))
    world.tell(`dagsverk ${version} serves on ${address}\n`)
    tellOfApp(world)
    await served.welcome(store, publicUrl || address)
    if (store.isSuspect) void lookForDamage(store, api.log, degraded)
    return await end
  } finally {
    clearInterval(tidying)
    clearInterval(watching)
    clearInterval(noting)
    clearInterval(telling)
    door?.close()
    await api.stop()
    await carrier?.stop()
    await events.stop()
    await note(server)
    await gate.settled()
  }
}

async function tellDue({ api, events }: Assembled): Promise<void> {
  try {
    await events.round()
  } catch (error) {
    api.log.error({ err: error }, 'what happened was not told')
  }
}

async function note({ api, calls, sessions }: Assembled): Promise<void> {
  try {
    await sessions.refused.flush()
    await calls.flush()
  } catch (error) {
    api.log.error({ err: error }, 'how calls and sign-ins fared was not noted')
  }
}

async function watch(
  store: Store,
  { clock }: World,
  { api, outbox, address }: Assembled,
): Promise<void> {
  try {
    await watchOver({ store, outbox, clock, address })
  } catch (error) {
    api.log.error({ err: error }, 'nobody looked after what is watched')
  }
}

async function tidy(
  store: Store,
  world: World,
  { api, sessions, recovery, carrier, calls, events }: Assembled,
): Promise<void> {
  try {
    await forgetReplies(store, world.clock())
    await sessions.tidy()
    await foldHandOuts(store, world.clock())
    await recovery.tidy()
    await carrier?.tidy()
    await calls.tidy()
    await events.tidy()
  } catch (error) {
    api.log.error({ err: error }, 'what is over stays')
  }
}

/** After a server that was killed: beside the requests, and told where somebody watches. */
async function lookForDamage(
  store: Store,
  log: HttpServer['log'],
  degraded: Set<string>,
): Promise<void> {
  try {
    const findings = await store.examine()
    if (findings.length === 0) return
    degraded.add('database-damaged')
    log.error({ findings }, 'the database is damaged: put a backup in its place')
  } catch (error) {
    log.warn({ err: error }, 'the database could not be looked through')
  }
}

/** How long an event waits at the most before it is told; looking costs one read of an index. */
const tellEveryMs = 1000

const hourMs = 3_600_000
/** How late administrators see what was refused. */
const noteEveryMs = 5_000
/** How late an alarm may be, which is counted in hours. */
const watchEveryMs = 300_000
