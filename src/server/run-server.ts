// Runs a server process: opens the database, listens, runs periodic jobs, stops gracefully.
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

/** Why the server stops: a signal, or a storage error. */
export type Reason = 'asked' | 'broken'

/** Serves until `end` resolves, then finishes all accepted requests. */
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
          'The server stopped because of a storage error. Check the disk before you start it again.',
          exitCodes.storage,
        )
    } finally {
      await store.close()
    }
  })
}

/** Returns the stop reason when all accepted requests are finished. */
async function serveFrom(
  store: Store,
  served: Served,
  world: World,
  { end, onServing }: { end: Promise<Reason>; onServing: () => void },
): Promise<Reason> {
  const worker = thisWorker()
  const server = await assemble(store, served, world, worker)
  const { api, gate, metrics, carrier, events, degraded } = server
  const cleanupTimer = setInterval(() => void deleteExpired(store, world, server), hourMs)
  const flushTimer = setInterval(() => void flushLogs(server), flushEveryMs)
  const alertTimer = setInterval(() => void runAlertCheck(store, world, server), alertEveryMs)
  const deliveryTimer = setInterval(() => void deliverEvents(server), deliverEveryMs)
  carrier?.start()
  const { host, port, metricsPort, publicUrl } = served.config
  let metricsServer: MetricsDoor | null = null
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
      metricsServer = await openDoor(metricsPort, async () => textOf([await metrics.snapshot()]))
    world.tell(`dagsverk ${version} serves on ${address}\n`)
    tellOfApp(world)
    await served.welcome(store, publicUrl || address)
    if (store.isSuspect) void checkIntegrity(store, api.log, degraded)
    return await end
  } finally {
    clearInterval(cleanupTimer)
    clearInterval(alertTimer)
    clearInterval(flushTimer)
    clearInterval(deliveryTimer)
    metricsServer?.close()
    await api.stop()
    await carrier?.stop()
    await events.stop()
    await flushLogs(server)
    await gate.settled()
  }
}

async function deliverEvents({ api, events }: Assembled): Promise<void> {
  try {
    await events.round()
  } catch (error) {
    api.log.error({ err: error }, 'webhook delivery failed')
  }
}

async function flushLogs({ api, calls, sessions }: Assembled): Promise<void> {
  try {
    await sessions.refused.flush()
    await calls.flush()
  } catch (error) {
    api.log.error({ err: error }, 'writing the API call log and the sign-in audit failed')
  }
}

async function runAlertCheck(
  store: Store,
  { clock }: World,
  { api, outbox, address }: Assembled,
): Promise<void> {
  try {
    await watchOver({ store, outbox, clock, address })
  } catch (error) {
    api.log.error({ err: error }, 'checking the alert rules failed')
  }
}

async function deleteExpired(
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
    api.log.error({ err: error }, 'deleting expired data failed')
  }
}

/** Integrity check after an unclean shutdown, in the background. */
async function checkIntegrity(
  store: Store,
  log: HttpServer['log'],
  degraded: Set<string>,
): Promise<void> {
  try {
    const findings = await store.examine()
    if (findings.length === 0) return
    degraded.add('database-damaged')
    log.error({ findings }, 'the database is damaged: restore a backup')
  } catch (error) {
    log.warn({ err: error }, 'the integrity check of the database failed')
  }
}

/** Maximum delay of a webhook event; each check costs one index read. */
const deliverEveryMs = 1000

const hourMs = 3_600_000
/** Maximum delay until rejected calls are visible to administrators. */
const flushEveryMs = 5_000
/** Maximum delay of an alert; alert rules count in hours. */
const alertEveryMs = 300_000
