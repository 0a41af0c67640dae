// Server composition: builds the API, app, authentication and background workers.
import { join } from 'node:path'
import { LargeBodies } from '../api/write-pipeline/large-bodies.ts'
import { RunningKeys } from '../api/write-pipeline/running-keys.ts'
import { logServerError, toErrorReply } from '../api/error-reply.ts'
import { createApi, type ApiOptions } from '../api/server.ts'
import { appEndpoints } from '../app/endpoints.ts'
import { LiveFeed } from '../app/live/live-feed.ts'
import type { AppContext, ServerInfo } from '../app/route.ts'
import { SecondFactor } from '../auth/mfa/second-factor.ts'
import { Authenticator } from '../auth/authenticator/authenticator.ts'
import type { CryptoContext } from '../auth/tokens/credential-factory.ts'
import { Passkeys } from '../auth/mfa/passkeys.ts'
import type { HashCost } from '../auth/passwords/password-hash.ts'
import { PasswordReset } from '../auth/passwords/password-reset.ts'
import { Encryptor } from '../auth/tokens/encryptor.ts'
import { Sessions } from '../auth/sessions/sessions.ts'
import { loadMasterKey } from './master-key-file.ts'
import { ReloadableConfig } from './reloadable-config.ts'
import { createOidcLogin } from './oidc.ts'
import { commit, version } from './version.ts'
import type { WorkerProcess } from './workers/worker.ts'
import type { ServerRuntime } from './environment.ts'
import type { Configuration } from '../config/read-config.ts'
import { MailDelivery } from '../notifications/mail/deliver.ts'
import { createMailSender } from '../notifications/mail/sender.ts'
import { WebhookDelivery } from '../notifications/webhooks/deliver.ts'
import { limits as defaultLimits } from '../http/limits.ts'
import { bufferLines } from '../http/log.ts'
import type { HttpServer } from '../http/server.ts'
import { dateInZone } from '../lib/calendar-date.ts'
import { MailQueue } from '../notifications/mail/mail-queue.ts'
import { ApiCallLog } from './metrics/api-call-log.ts'
import { startMetrics, type Metrics } from './metrics/metrics.ts'
import { settingNames, displayValueForSupport, variableName, type Config } from '../config/settings.ts'
import { sqlitePath, type OpenOptions } from '../store/open-store.ts'
import { getFreePercent, freePercentMin } from '../store/sqlite/file-system.ts'
import type { Store } from '../store/store.ts'

/** What a server is composed from; it differs between the configured server and the sandbox. */
export interface CompositionOptions {
  readonly config: Config
  readonly hashCost: HashCost
  readonly api: Pick<ApiOptions, 'headers' | 'middleware' | 'services' | 'onSetUp' | 'limits'>
  /** Serves generated data, and refuses nobody for the number of calls or failed logins. */
  readonly isSandbox?: boolean
  /** The fixed date of a sandbox. */
  readonly today?: string
  /** Reads the configuration again, for a reload. */
  readonly rereadConfiguration?: () => Configuration
}

/** How a server process runs, besides. */
export interface ServerOptions extends CompositionOptions {
  /** Only the benchmark disables group commit. */
  readonly storage?: Pick<OpenOptions, 'isGrouping'>
  /** Whether the server starts although data is lost; on SQLite only. */
  readonly acceptsLoss?: boolean
  /** Prints instructions once the server listens. */
  readonly onListening: (store: Store, address: string) => Promise<void>
}

export interface ServerParts extends Pick<
  AppContext,
  'authenticator' | 'sessions' | 'passwordReset' | 'mailQueue' | 'publicUrl'
> {
  readonly api: HttpServer
  readonly apiCallLog: ApiCallLog
  /** Null without a metrics port. */
  readonly metrics: Metrics | null
  /** Null without a mail server. */
  readonly mailDelivery: MailDelivery | null
  readonly webhookDelivery: WebhookDelivery
  /** Degraded features, for `/readyz`. */
  readonly degraded: Set<string>
}

/** Composes a server that neither listens nor runs jobs yet. */
export async function createServer(
  store: Store,
  options: CompositionOptions,
  runtime: ServerRuntime,
  worker: Pick<WorkerProcess, 'id'> | null,
): Promise<ServerParts> {
  const reloadable = new ReloadableConfig(options.config)
  const { config } = reloadable
  const { publicUrl, smtpUrl, mailFrom } = config
  const { pepper } = await loadMasterKey(store, config, runtime)
  const { clock, random } = runtime
  const cryptoContext = { random, clock, hashCost: options.hashCost, pepper }
  const context: ServerContext = { store, reloadable, cryptoContext, log: () => api.log }
  const authServices = await createAuthServices(context, options.isSandbox === true)
  const mailQueue = smtpUrl === '' ? null : new MailQueue(new Encryptor(cryptoContext, 'letters'), clock)
  const degraded = new Set<string>()
  const { authenticator } = authServices
  const system = describeSystem(reloadable, degraded)
  const logError: AppContext['logError'] = (error, request) =>
    logServerError(api.log, toErrorReply(error, request), request)
  const app: AppContext = { ...authServices, ...createAppState(context, options), mailQueue, system, logError }
  const apiCallLog = new ApiCallLog({ store, clock })
  const api = createApi({
    ...options.api,
    limits: {
      ...(options.api.limits ?? defaultLimits),
      unauthenticatedConnectionsMax: config.unauthenticatedConnections,
    },
    extraEndpoints: appEndpoints(app, random, runtime.appFolder),
    store,
    authenticator,
    clock,
    monotonicMs: runtime.monotonicMs,
    cryptoContext,
    runningKeys: new RunningKeys(),
    largeBodies: new LargeBodies(store, runtime.monotonicMs),
    version,
    commit,
    publicUrl,
    get allowedHosts() {
      return reloadable.config.allowedHosts
    },
    get corsOrigins() {
      return reloadable.config.corsOrigins
    },
    get trustProxy() {
      return reloadable.config.trustProxy
    },
    unavailableFeatures: app.system.degraded,
    log: {
      level: config.logLevel,
      stream: bufferLines((lines) => runtime.printLog(lines)),
      clock,
      ...(worker === null ? {} : { worker: worker.id }),
    },
    onReply: (entry) => {
      apiCallLog.record(entry)
      metrics?.observe(entry)
    },
  })
  const loads = { authenticator: () => authenticator.load(), http: () => api.load(), store: () => store.load() }
  const metrics = config.metricsPort === null ? null : await startMetrics(loads)
  const mailDelivery =
    mailQueue === null
      ? null
      : new MailDelivery({
          store,
          mailQueue,
          clock,
          random,
          sender: createMailSender(smtpUrl, mailFrom),
          onFailure: (failure) => api.log.warn(failure, 'mail delivery failed'),
        })
  const { rereadConfiguration } = options
  if (rereadConfiguration !== undefined) runtime.onReload(() => reloadable.reload(rereadConfiguration, api.log))
  const webhookDelivery = createEventDelivery(context)
  return { ...authServices, api, metrics, mailQueue, publicUrl, mailDelivery, webhookDelivery, apiCallLog, degraded }
}

/** Shared dependencies of the parts. */
interface ServerContext {
  readonly store: Store
  readonly reloadable: ReloadableConfig
  readonly cryptoContext: CryptoContext
  /** The log of the HTTP server, once it is created. */
  readonly log: () => HttpServer['log']
}

async function createAuthServices({ store, reloadable, cryptoContext, log }: ServerContext, isLenient: boolean) {
  const { publicUrl } = reloadable.config
  const onBackgroundError = (problem: unknown) => log().error({ err: problem }, 'a background write failed')
  const common = { ...cryptoContext, store, settings: reloadable }
  const authenticator = new Authenticator({ ...common, publicUrl, isLenient, onBackgroundError })
  const { passwordThrottle } = authenticator
  const sessions = new Sessions({ ...common, passwordThrottle, secondFactor: new SecondFactor(cryptoContext) })
  const passwordReset = new PasswordReset({ store, cryptoContext, settings: reloadable })
  const passkeys = new Passkeys({ store, sessions, cryptoContext, publicUrl })
  const oidcLogin = await createOidcLogin(reloadable.config, { store, sessions, cryptoContext })
  return { authenticator, sessions, passwordReset, passkeys, oidcLogin }
}

function createAppState(
  { store, reloadable, cryptoContext }: ServerContext,
  { today, isSandbox = false }: CompositionOptions,
) {
  return {
    store,
    cryptoContext,
    clock: cryptoContext.clock,
    publicUrl: reloadable.config.publicUrl,
    today: (zone: string) => today ?? dateInZone(zone, cryptoContext.clock()),
    isSandbox,
    webhookNetworks: reloadable.config.webhookNetworks,
    feed: new LiveFeed(store),
  }
}

function describeSystem(reloadable: ReloadableConfig, degraded: ReadonlySet<string>): ServerInfo {
  const { config } = reloadable
  return {
    version,
    databaseUrl: config.databaseUrl,
    settings: Object.fromEntries(
      settingNames.map((name) => [variableName(name), displayValueForSupport(name, config)]),
    ),
    backupFolder: join(config.dataDir, 'backups'),
    degraded: () => [...degraded, ...lowDiskWarnings(config)],
    get rateLimit() {
      return reloadable.config.rateLimit
    },
  }
}

function createEventDelivery({ store, reloadable, cryptoContext, log }: ServerContext): WebhookDelivery {
  return new WebhookDelivery({
    store,
    encryptor: new Encryptor(cryptoContext, 'webhooks'),
    clock: cryptoContext.clock,
    random: cryptoContext.random,
    allowed: reloadable.config.webhookNetworks,
    onFailure: (failed) => log().warn(failed, 'webhook delivery failed'),
  })
}

/** Warns before writes fail. Only for SQLite; a PostgreSQL server monitors its own disk. */
function lowDiskWarnings({ databaseUrl }: Config): readonly string[] {
  const path = sqlitePath(databaseUrl)
  return path !== null && getFreePercent(path) < freePercentMin ? ['disk-low'] : []
}
