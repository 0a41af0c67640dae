// Server composition: builds the API, app, authentication and background workers.
import { join } from 'node:path'
import { RunningKeys } from '../api/write-pipeline/idempotency.ts'
import { createApi, type ApiOptions } from '../api/server.ts'
import { appEndpoints } from '../app/endpoints.ts'
import { LiveFeed } from '../app/live/live-feed.ts'
import type { AppState } from '../app/route.ts'
import type { System } from '../app/route.ts'
import { SecondFactor } from '../auth/mfa/second-factor.ts'
import { Gate } from '../auth/authenticator/authenticator.ts'
import type { Minting } from '../auth/tokens/credential-factory.ts'
import { Passkeys } from '../auth/mfa/passkeys.ts'
import type { HashCost } from '../auth/passwords/password-hash.ts'
import { rateOf, type Rate } from '../auth/authenticator/rate-limit.ts'
import { Recovery } from '../auth/passwords/password-reset.ts'
import { Seal } from '../auth/tokens/encryptor.ts'
import { Sessions } from '../auth/sessions/sessions.ts'
import { MailCarrier } from './mail-worker.ts'
import { masterKeyOf } from './master-key-file.ts'
import { reloaded } from './reload.ts'
import { signOnOf } from './oidc.ts'
import { version } from './version.ts'
import type { ThisWorker } from './workers/worker.ts'
import type { World } from './environment.ts'
import type { Configuration } from '../config/read-config.ts'
import { EventDelivery } from '../notifications/webhooks/deliver.ts'
import { lineBuffer } from '../http/log.ts'
import type { HttpServer } from '../http/server.ts'
import { dayIn } from '../lib/civil-date.ts'
import { Outbox } from '../notifications/mail/mail-queue.ts'
import { CallNotes } from './metrics/api-call-log.ts'
import { startMetrics, type Metrics } from './metrics/metrics.ts'
import { settingNames, shownOutside, variable, type Config } from '../config/settings.ts'
import { sqlitePath, type OpenOptions } from '../store/open-store.ts'
import { freePercentAt, freePercentMin } from '../store/sqlite/file-system.ts'
import type { Store } from '../store/store.ts'

/** What differs between the configured server, the sandbox and the benchmark. */
export interface Served {
  readonly config: Config
  readonly hashCost: HashCost
  readonly api: Pick<ApiOptions, 'headers' | 'around' | 'services' | 'onOwned'>
  /** The fixed date of a sandbox. */
  readonly today?: string
  /** Only the benchmark disables group commit. */
  readonly storage?: Pick<OpenOptions, 'isGrouping'>
  /** Reads the configuration again, for a reload. */
  readonly configureAgain?: () => Configuration
  /** Prints instructions once the server listens. */
  readonly welcome: (store: Store, address: string) => Promise<void>
}

export interface Assembled {
  readonly api: HttpServer
  readonly gate: Gate
  readonly sessions: Sessions
  readonly recovery: Recovery
  readonly calls: CallNotes
  /** Null without a metrics port. */
  readonly metrics: Metrics | null
  /** Null without a mail server. */
  readonly outbox: Outbox | null
  /** Base URL in mails; '' when the server has no public URL. */
  readonly address: string
  /** Null without a mail server. */
  readonly carrier: MailCarrier | null
  readonly events: EventDelivery
  /** Degraded features, for `/readyz`. */
  readonly degraded: Set<string>
}

export async function assemble(
  store: Store,
  served: Served,
  world: World,
  worker: ThisWorker | null,
): Promise<Assembled> {
  const reloadable = new ReloadableConfig(served.config)
  const { config } = reloadable
  const { publicUrl, smtpUrl, mailFrom } = config
  const { pepper } = await masterKeyOf(store, config, world)
  const { clock, random } = world
  const minting = { random, clock, hashCost: served.hashCost, pepper }
  const context: ServerContext = { store, reloadable, minting, log: () => api.log }
  const authServices = createAuthServices(context)
  const outbox = smtpUrl === '' ? null : new Outbox(new Seal(minting, 'letters'), clock)
  const degraded = new Set<string>()
  const { authenticator, sessions, passwordReset, passkeys, signOn } = authServices
  const app = createAppState(context, served.today, {
    gate: authenticator,
    sessions,
    recovery: passwordReset,
    passkeys,
    signOn,
    outbox,
    system: describeSystem(reloadable, degraded),
  })
  const calls = new CallNotes({ store, clock })
  const api = createApi({
    ...served.api,
    beside: appEndpoints(app, random, world.appFolder),
    store,
    gate: authenticator,
    clock,
    minting,
    runningKeys: new RunningKeys(),
    version,
    publicUrl,
    get allowedHosts() {
      return reloadable.config.allowedHosts
    },
    get trustProxy() {
      return reloadable.config.trustProxy
    },
    degraded: app.system.degraded,
    log: {
      level: config.logLevel,
      stream: lineBuffer((text) => world.print(text)),
      ...(worker === null ? {} : { worker: worker.id }),
    },
    onAnswer: (told) => {
      calls.note(told)
      metrics?.observe(told)
    },
  })
  const metrics = await createMetrics(context, authServices, api)
  const { log } = context
  const carrier =
    outbox === null ? null : new MailCarrier({ store, outbox, minting, smtpUrl, mailFrom, log })
  const { configureAgain } = served
  if (configureAgain !== undefined) world.onReload(() => reloadable.reload(configureAgain, api.log))
  const events = createEventDelivery(context)
  return {
    gate: authenticator,
    sessions,
    recovery: passwordReset,
    api,
    metrics,
    outbox,
    address: publicUrl,
    carrier,
    events,
    calls,
    degraded,
  }
}

/** Shared dependencies of the parts. */
interface ServerContext {
  readonly store: Store
  readonly reloadable: ReloadableConfig
  readonly minting: Minting
  /** The log of the HTTP server, once it is created. */
  readonly log: () => HttpServer['log']
}

/** All authentication services. */
function createAuthServices({ store, reloadable, minting, log }: ServerContext) {
  const { publicUrl } = reloadable.config
  const onTrouble = (problem: unknown) => log().error({ err: problem }, 'a background write failed')
  const authenticator = createAuthenticator(reloadable, { ...minting, store, publicUrl, onTrouble })
  const sessions = new Sessions({
    ...minting,
    store,
    get trustProxy() {
      return reloadable.config.trustProxy
    },
    guard: authenticator.guard,
    factor: new SecondFactor(minting),
  })
  const passwordReset = new Recovery({
    store,
    minting,
    get trustProxy() {
      return reloadable.config.trustProxy
    },
  })
  const passkeys = new Passkeys({ store, sessions, minting, publicUrl })
  const signOn = signOnOf(reloadable.config, { store, sessions, minting })
  return { authenticator, sessions, passwordReset, passkeys, signOn }
}

type AuthServices = ReturnType<typeof createAuthServices>

/** `today` is set only in a sandbox. */
function createAppState(
  { store, reloadable, minting }: ServerContext,
  today: string | undefined,
  more: Pick<
    AppState,
    'gate' | 'sessions' | 'recovery' | 'passkeys' | 'signOn' | 'outbox' | 'system'
  >,
): AppState {
  return {
    ...more,
    store,
    minting,
    clock: minting.clock,
    publicUrl: reloadable.config.publicUrl,
    today: (zone) => today ?? dayIn(zone, minting.clock()),
    isSandbox: today !== undefined,
    webhookNetworks: reloadable.config.webhookNetworks,
    feed: new LiveFeed(store),
  }
}

function describeSystem(reloadable: ReloadableConfig, degraded: ReadonlySet<string>): System {
  const { config } = reloadable
  return {
    version,
    databaseUrl: config.databaseUrl,
    settings: Object.fromEntries(
      settingNames.map((name) => [variable(name), shownOutside(name, config)]),
    ),
    backupFolder: join(config.dataDir, 'backups'),
    degraded: () => [...degraded, ...lowDiskWarnings(config)],
    get rateLimit() {
      return reloadable.config.rateLimit
    },
  }
}

async function createMetrics(
  { store, reloadable }: ServerContext,
  { authenticator }: AuthServices,
  api: HttpServer,
): Promise<Metrics | null> {
  return reloadable.config.metricsPort === null
    ? null
    : startMetrics({
        gate: () => authenticator.load(),
        http: () => api.load(),
        store: () => store.load(),
      })
}

function createEventDelivery({ store, reloadable, minting, log }: ServerContext): EventDelivery {
  return new EventDelivery({
    store,
    seal: new Seal(minting, 'webhooks'),
    clock: minting.clock,
    random: minting.random,
    allowed: reloadable.config.webhookNetworks,
    onFailure: (failed) => log().warn(failed, 'webhook delivery failed'),
  })
}

/** The current configuration, for code that reads it at each use. */
class ReloadableConfig {
  config: Config
  rate: Rate | null

  constructor(config: Config) {
    this.config = config
    this.rate = rateOfWorker(config)
  }

  reload(configureAgain: () => Configuration, log: HttpServer['log']): void {
    this.config = reloaded(this.config, configureAgain, log)
    this.rate = rateOfWorker(this.config)
    log.level = this.config.logLevel
  }
}

type FixedOptions = Omit<
  ConstructorParameters<typeof Gate>[0],
  'trustProxy' | 'allowHttp' | 'rate' | 'refusesQuery'
>

function createAuthenticator(reloadable: ReloadableConfig, fixed: FixedOptions): Gate {
  return new Gate({
    ...fixed,
    get trustProxy() {
      return reloadable.config.trustProxy
    },
    get allowHttp() {
      return reloadable.config.allowHttp
    },
    get rate() {
      return reloadable.rate
    },
    get refusesQuery() {
      return reloadable.config.queryCredentials === 'deny'
    },
  })
}

/** The rate limit of one worker. */
function rateOfWorker({ rateLimit, workers }: Config): Rate | null {
  return rateLimit === null ? null : rateOf(Math.ceil(rateLimit / workers))
}

/** Warns before writes fail. Only for SQLite; a PostgreSQL server monitors its own disk. */
function lowDiskWarnings({ databaseUrl }: Config): readonly string[] {
  const path = sqlitePath(databaseUrl)
  return path !== null && freePercentAt(path) < freePercentMin ? ['disk-low'] : []
}
