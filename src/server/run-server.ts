// Runs a server process: opens the database, listens, runs periodic jobs, stops gracefully.
import { startDailyAnchors } from './audit-anchors.ts'
import { createServer, type ServerParts, type ServerOptions } from './create-server.ts'
import { createDataFolder } from './config-options.ts'
import { deleteExpired, type ExpiryContext } from './expired-data.ts'
import { withJournal } from './export-journal.ts'
import { checkDatabaseFile, LostData } from './lost-data.ts'
import { requireMasterKey } from './master-key-file.ts'
import { openWhenAvailable, runAbortable, type StopReason } from './with-store.ts'
import { withPortErrors, listenForMetrics } from './ports.ts'
import { warnIfAppMissing } from './warn-if-app-missing.ts'
import { version } from './version.ts'
import { currentWorker } from './workers/worker.ts'
import type { Runtime } from './environment.ts'
import type { MetricsServer } from '../http/metrics-server.ts'
import type { HttpServer } from '../http/server.ts'
import { exitCodes, messageOf, OperatorError } from '../lib/operator-error.ts'
import { checkAlerts } from '../notifications/mail/alerts.ts'
import { formatMetrics } from './metrics/metrics.ts'
import { findCommitLoss, getDurability } from '../store/postgres/durability.ts'
import type { CommitJournal, Store } from '../store/store.ts'
import { requestTimeLimits } from '../store/time-limits.ts'

/** Serves until `end` resolves, then finishes all accepted requests. */
export function runServer(
  options: ServerOptions,
  runtime: Runtime,
  end: PromiseWithResolvers<StopReason>,
): Promise<void> {
  return runAbortable(end.promise, async (signal, onServing) => {
    const { config } = options
    requireMasterKey(config)
    createDataFolder(config)
    const lostData = new LostData({ isAccepted: options.acceptsLoss === true, runtime })
    await checkDatabaseFile(config, lostData)
    let storageError: unknown
    const storeOptions = {
      ...options.storage,
      url: config.databaseUrl,
      canCreate: true,
      isServing: true,
      timeLimits: requestTimeLimits,
      onStorageError: (error: unknown) => {
        storageError = error
        end.resolve('failed')
      },
      signal,
    }
    // The primary process retries workers.
    const waitSeconds = currentWorker() === null ? config.databaseWaitSeconds : 0
    const store = await openWhenAvailable(storeOptions, { waitSeconds, runtime })
    try {
      const reason = await withJournal(store, { config, runtime, lostData }, async (journal) => {
        await lostData.audit(store)
        return serveFrom(store, options, runtime, { journal, end: end.promise, onServing })
      })
      if (reason === 'failed')
        throw new OperatorError(
          `The server stopped because of a storage error: ${messageOf(storageError)}. Check the disk and the files of the database before you start it again.`,
          exitCodes.storage,
        )
    } finally {
      await store.close()
    }
  })
}

interface ServingParts {
  readonly journal: CommitJournal | null
  readonly end: Promise<StopReason>
  readonly onServing: () => void
}

/** Returns the stop reason when all accepted requests are finished. */
async function serveFrom(
  store: Store,
  options: ServerOptions,
  runtime: Runtime,
  { journal, end, onServing }: ServingParts,
): Promise<StopReason> {
  const worker = currentWorker()
  const server = await createServer(store, options, runtime, worker)
  const { api, authenticator, metrics, mailDelivery, webhookDelivery, degraded } = server
  const { clock } = runtime
  const context: JobContext = { store, clock, journal, server }
  await runJob(checkDurability, context)
  const jobTimers = periodicJobs.map((job) => setInterval(() => void runJob(job, context), job.everyMs))
  const { host, port, metricsPort, publicUrl, auditAnchors } = options.config
  const stopAnchors =
    auditAnchors === null
      ? undefined
      : startDailyAnchors(store, auditAnchors, (error) => {
          api.log.error({ err: error }, 'writing the audit anchors failed')
        })
  let metricsServer: MetricsServer | null = null
  try {
    const on = { host, port, setting: 'port' } as const
    if (worker !== null) {
      const sockets = await Promise.race([worker.sockets(), end])
      if (typeof sockets === 'string') return sockets
      const address = await withPortErrors(api.listenOn(sockets), on)
      onServing()
      if (metrics !== null) worker.serveMetrics(metrics)
      worker.reportServing(address)
      return await end
    }
    const address = await withPortErrors(api.listen(port, host), on)
    onServing()
    if (metrics !== null && metricsPort !== null)
      metricsServer = await listenForMetrics(metricsPort, async () => formatMetrics([await metrics.snapshot()]))
    runtime.printMessage(`dagsverk ${version} serves on ${address}\n`)
    warnIfAppMissing(runtime)
    await Promise.race([options.onListening(store, publicUrl || address), end])
    if (store.hadUncleanShutdown) void checkIntegrity(store, api.log, degraded)
    return await end
  } finally {
    for (const timer of jobTimers) clearInterval(timer)
    metricsServer?.close()
    await api.stop()
    await mailDelivery?.stop()
    await webhookDelivery.stop()
    await runJob(flushSignIns, context)
    await runJob(flushCalls, context)
    await authenticator.flushUsage()
    await stopAnchors?.()
  }
}

interface JobContext extends ExpiryContext {
  /** Null on SQLite without an export journal. */
  readonly journal: CommitJournal | null
  readonly server: ServerParts
}

interface PeriodicJob {
  readonly everyMs: number
  readonly run: (context: JobContext) => Promise<void>
  /** What the log says of an error; the next run tries again. */
  readonly failure: string
}

async function runJob({ run, failure }: PeriodicJob, context: JobContext): Promise<void> {
  try {
    await run(context)
  } catch (error) {
    context.server.api.log.error({ err: error }, failure)
  }
}

const flushSignIns: PeriodicJob = {
  everyMs: 5_000,
  run: ({ server }) => server.sessions.rejectedSignIns.flush(),
  failure: 'writing the sign-in audit failed',
}

const flushCalls: PeriodicJob = {
  // Maximum delay until rejected calls are visible to administrators.
  everyMs: 5_000,
  run: ({ server }) => server.apiCallLog.flush(),
  failure: 'writing the API call log failed',
}

const checkDurability: PeriodicJob = {
  // How long `/readyz` does not know that the standbys or the settings of PostgreSQL have changed.
  everyMs: 60_000,
  run: async ({ store, server: { degraded } }) => {
    if (store.dialect === 'sqlite') return
    if (findCommitLoss(await getDurability(store.health)) === null) degraded.delete('durability-async')
    else degraded.add('durability-async')
  },
  failure: 'checking the durability of commits failed',
}

const periodicJobs: readonly PeriodicJob[] = [
  flushSignIns,
  flushCalls,
  {
    // Maximum delay of a webhook event; each check costs one index read.
    everyMs: 1_000,
    run: ({ server }) => server.webhookDelivery.deliverDue(),
    failure: 'webhook delivery failed',
  },
  {
    // Maximum delay of a message; each check costs two index reads.
    everyMs: 2_000,
    run: async ({ server }) => server.mailDelivery?.deliverDue(),
    failure: 'processing the mail queue failed',
  },
  {
    // How long this server's journal may lack what commands and other servers export; each check reads one row a company.
    everyMs: 5_000,
    run: async ({ journal }) => journal?.flushAll(),
    failure: 'comparing the exports with the journal, or writing it, failed',
  },
  {
    // Maximum delay of an alert; alert rules count in hours.
    everyMs: 300_000,
    run: ({ store, clock, server: { mailQueue, publicUrl } }) =>
      checkAlerts({ store, mailQueue, clock, address: publicUrl }),
    failure: 'checking the alert rules failed',
  },
  checkDurability,
  { everyMs: 3_600_000, run: deleteExpired, failure: 'deleting expired data failed' },
]

/** Integrity check after an unclean shutdown, in the background. */
async function checkIntegrity(store: Store, log: HttpServer['log'], degraded: Set<string>): Promise<void> {
  try {
    const findings = await store.checkIntegrity()
    if (findings.length === 0) return
    degraded.add('database-damaged')
    log.error({ findings }, 'the database is damaged: restore a backup')
  } catch (error) {
    log.warn({ err: error }, 'the integrity check of the database failed')
  }
}
