// Puts a server together from its parts, as it is configured now and may be configured anew while it serves.
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

/** A server, and what makes it another one than the next. */
export interface Served {
  readonly config: Config
  readonly hashCost: HashCost
  readonly api: Pick<ApiOptions, 'headers' | 'around' | 'services' | 'onOwned'>
  /** The day it is in a sandbox, where every day is the same. */
  readonly today?: string
  /** Only the benchmark commits each act alone. */
  readonly storage?: Pick<OpenOptions, 'isGrouping'>
  /** The configuration as it would be now, where one is read again. */
  readonly configureAgain?: () => Configuration
  /** Tells whoever started it how to go on, once it listens. */
  readonly welcome: (store: Store, address: string) => Promise<void>
}

export interface Assembled {
  readonly api: HttpServer
  readonly gate: Gate
  readonly sessions: Sessions
  readonly recovery: Recovery
  readonly calls: CallNotes
  /** Null where nobody watches. */
  readonly metrics: Metrics | null
  /** Null where mail is not set up. */
  readonly outbox: Outbox | null
  /** As letters name the server; '' where it has no public name. */
  readonly address: string
  /** Null where mail is not set up. */
  readonly carrier: MailCarrier | null
  readonly events: EventDelivery
  /** What the server does without, for `/readyz`. */
  readonly degraded: Set<string>
}

export async function assemble(
  store: Store,
  served: Served,
  world: World,
  worker: ThisWorker | null,
): Promise<Assembled> {
  const live = new Live(served.config)
  const { config } = live
  const { publicUrl, smtpUrl, mailFrom } = config
  const { pepper } = await masterKeyOf(store, config, world)
  const { clock, random } = world
  const minting = { random, clock, hashCost: served.hashCost, pepper }
  const ground: Ground = { store, live, minting, log: () => api.log }
  const doors = doorsOf(ground)
  const outbox = smtpUrl === '' ? null : new Outbox(new Seal(minting, 'letters'), clock)
  const degraded = new Set<string>()
  const app = appOf(ground, served.today, { ...doors, outbox, system: systemOf(live, degraded) })
  const calls = new CallNotes({ store, clock })
  const api = createApi({
    ...served.api,
    beside: appEndpoints(app, random, world.appFolder),
    store,
    gate: doors.gate,
    clock,
    minting,
    runningKeys: new RunningKeys(),
    version,
    publicUrl,
    get allowedHosts() {
      return live.config.allowedHosts
    },
    get trustProxy() {
      return live.config.trustProxy
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
  const metrics = await metricsOf(ground, doors, api)
  const { log } = ground
  const carrier =
    outbox === null ? null : new MailCarrier({ store, outbox, minting, smtpUrl, mailFrom, log })
  const { configureAgain } = served
  if (configureAgain !== undefined) world.onReload(() => live.reload(configureAgain, api.log))
  const events = eventsOf(ground)
  return { ...doors, api, metrics, outbox, address: publicUrl, carrier, events, calls, degraded }
}

/** What everything else stands on. */
interface Ground {
  readonly store: Store
  readonly live: Live
  readonly minting: Minting
  /** Of the server, once there is one. */
  readonly log: () => HttpServer['log']
}

/** All ways in. */
function doorsOf({ store, live, minting, log }: Ground) {
  const { publicUrl } = live.config
  const onTrouble = (problem: unknown) => log().error({ err: problem }, 'a note beside a request')
  const gate = gateOf(live, { ...minting, store, publicUrl, onTrouble })
  const sessions = new Sessions({
    ...minting,
    store,
    get trustProxy() {
      return live.config.trustProxy
    },
    guard: gate.guard,
    factor: new SecondFactor(minting),
  })
  const recovery = new Recovery({
    store,
    minting,
    get trustProxy() {
      return live.config.trustProxy
    },
  })
  const passkeys = new Passkeys({ store, sessions, minting, publicUrl })
  const signOn = signOnOf(live.config, { store, sessions, minting })
  return { gate, sessions, recovery, passkeys, signOn }
}

type Doors = ReturnType<typeof doorsOf>

/** `today` is given in a sandbox alone. */
function appOf(
  { store, live, minting }: Ground,
  today: string | undefined,
  more: Doors & Pick<AppState, 'outbox' | 'system'>,
): AppState {
  return {
    ...more,
    store,
    minting,
    clock: minting.clock,
    publicUrl: live.config.publicUrl,
    today: (zone) => today ?? dayIn(zone, minting.clock()),
    isSandbox: today !== undefined,
    webhookNetworks: live.config.webhookNetworks,
    feed: new LiveFeed(store),
  }
}

function systemOf(live: Live, degraded: ReadonlySet<string>): System {
  const { config } = live
  return {
    version,
    databaseUrl: config.databaseUrl,
    settings: Object.fromEntries(
      settingNames.map((name) => [variable(name), shownOutside(name, config)]),
    ),
    backupFolder: join(config.dataDir, 'backups'),
    degraded: () => [...degraded, ...lowDisk(config)],
    get rateLimit() {
      return live.config.rateLimit
    },
  }
}

async function metricsOf(
  { store, live }: Ground,
  { gate }: Doors,
  api: HttpServer,
): Promise<Metrics | null> {
  return live.config.metricsPort === null
    ? null
    : startMetrics({
        gate: () => gate.load(),
        http: () => api.load(),
        store: () => store.load(),
      })
}

function eventsOf({ store, live, minting, log }: Ground): EventDelivery {
  return new EventDelivery({
    store,
    seal: new Seal(minting, 'webhooks'),
    clock: minting.clock,
    random: minting.random,
    allowed: live.config.webhookNetworks,
    onFailure: (failed) => log().warn(failed, 'an event was not taken'),
  })
}

/** The configuration as it is, for those who ask at each use. */
class Live {
  config: Config
  rate: Rate | null

  constructor(config: Config) {
    this.config = config
    this.rate = partOfRate(config)
  }

  reload(configureAgain: () => Configuration, log: HttpServer['log']): void {
    this.config = reloaded(this.config, configureAgain, log)
    this.rate = partOfRate(this.config)
    log.level = this.config.logLevel
  }
}

type Steady = Omit<
  ConstructorParameters<typeof Gate>[0],
  'trustProxy' | 'allowHttp' | 'rate' | 'refusesQuery'
>

function gateOf(live: Live, steady: Steady): Gate {
  return new Gate({
    ...steady,
    get trustProxy() {
      return live.config.trustProxy
    },
    get allowHttp() {
      return live.config.allowHttp
    },
    get rate() {
      return live.rate
    },
    get refusesQuery() {
      return live.config.queryCredentials === 'deny'
    },
  })
}

/** Workers share it. */
function partOfRate({ rateLimit, workers }: Config): Rate | null {
  return rateLimit === null ? null : rateOf(Math.ceil(rateLimit / workers))
}

/** Writes will be refused soon; a PostgreSQL server watches its own disk. */
function lowDisk({ databaseUrl }: Config): readonly string[] {
  const path = sqlitePath(databaseUrl)
  return path !== null && freePercentAt(path) < freePercentMin ? ['disk-low'] : []
}
