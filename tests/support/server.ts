// A complete server in the test process: two companies, requests without sockets, a settable clock.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi, type ApiOptions } from '../../src/api/server.ts'
import { RunningKeys } from '../../src/api/write-pipeline/idempotency.ts'
import { appEndpoints } from '../../src/app/endpoints.ts'
import { LiveFeed } from '../../src/app/live/live-feed.ts'
import { SecondFactor } from '../../src/auth/mfa/second-factor.ts'
import { words } from '../../src/app/paths.ts'
import { Gate } from '../../src/auth/authenticator/authenticator.ts'
import { hashChosen, hashGenerated } from '../../src/auth/passwords/password-hash.ts'
import { Passkeys } from '../../src/auth/mfa/passkeys.ts'
import type { Role } from '../../src/auth/roles.ts'
import { rateOf } from '../../src/auth/authenticator/rate-limit.ts'
import { passwordScopes, scopes as allScopes, type Scope } from '../../src/auth/scopes.ts'
import { generateKey, generatePassword } from '../../src/auth/tokens/secret.ts'
import { Recovery } from '../../src/auth/passwords/password-reset.ts'
import { Seal } from '../../src/auth/tokens/encryptor.ts'
import type { RefusedSignIns } from '../../src/auth/sessions/sign-in-audit.ts'
import { Sessions } from '../../src/auth/sessions/sessions.ts'
import {
  defaultSettings,
  writeSettings,
  type CompanySettings,
} from '../../src/auth/companies/company-settings.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { dayIn } from '../../src/lib/civil-date.ts'
import { parseNetworks } from '../../src/lib/network.ts'
import { readGroupRole } from '../../src/sso/group-roles.ts'
import { Provider, type ProviderSettings } from '../../src/sso/provider.ts'
import { SignOn } from '../../src/sso/login.ts'
import { CallNotes } from '../../src/server/metrics/api-call-log.ts'
import { Outbox } from '../../src/notifications/mail/mail-queue.ts'
import { insertCompany } from '../../src/store/accounts/companies.ts'
import {
  credentialById,
  insertCredential,
  updateCredential,
} from '../../src/store/accounts/credentials.ts'
import { openStore } from '../../src/store/open-store.ts'
import { callerLimits, type TimeLimits } from '../../src/store/time-limits.ts'
import type { Store } from '../../src/store/store.ts'
import type { CredentialTable } from '../../src/store/tables/accounts.ts'
import { insertUser, saveMembership } from '../../src/store/accounts/users.ts'
import type { DatabaseKind } from './databases.ts'
import { root } from './repository.ts'

/** The two companies that every test server has. */
interface Tenants {
  readonly mine: Company
  readonly other: Company
}

export interface House extends Tenants {
  readonly server: HttpServer
  readonly store: Store
  readonly url: string
  /** The key that encrypts secrets. */
  readonly pepper: Buffer
  /** Microseconds; the real time unless the test sets it. */
  readonly clock: { now: () => number }
  /** Off unless the test enables it; the test runs the mail worker itself. */
  readonly mail: { isOn: boolean; readonly outbox: Outbox }
  /** The backup folder; deleted with the server. */
  readonly backupFolder: string
  /** The API call log; written when the test flushes it. */
  readonly calls: CallNotes
  readonly refused: RefusedSignIns
  company(name: string, options?: CompanyOptions): Promise<Company>
  /**
   * Adds a user with a role in each of these companies; an approver may be limited to departments.
   */
  person(jobs: readonly Job[]): Promise<Person>
  /** Adds a user who is an operator as well. */
  operator(jobs: readonly Job[]): Promise<Person>
  /** Adds another credential of a company. */
  credential(of: Company, options?: CredentialOptions): Promise<Credential>
  /** Changes a credential in the database, as a command would. */
  amend(id: string, changes: Partial<CredentialTable>): Promise<void>
  /** A second server on the same database, as another process would be, with other options. */
  twin(options?: HouseOptions): Promise<House>
  call(method: string, address: string, options?: CallOptions): Promise<Answer>
  close(): Promise<void>
}

export interface HouseOptions extends Partial<ApiOptions> {
  /** The identity provider for sign-in. */
  readonly provider?: ProviderSettings
  readonly groupRoles?: readonly string[]
  readonly timeLimits?: TimeLimits
  /** The folder of the browser app. */
  readonly appFolder?: string
}

export interface CompanyOptions {
  readonly timezone?: string
  readonly settings?: Partial<CompanySettings>
  readonly scopes?: readonly Scope[]
}

export interface Company {
  readonly id: number
  readonly name: string
  readonly password: string
  readonly key: string
}

export interface Job {
  readonly company: Company
  readonly role: Role
  readonly departments?: readonly string[]
}

export interface Person {
  readonly id: number
  readonly email: string
  readonly password: string
}

export interface CredentialOptions extends Partial<
  Pick<CredentialTable, 'kind' | 'owner' | 'scopes' | 'addresses' | 'expiresAt'>
> {
  /** A chosen secret; without it one is generated. */
  readonly chosen?: string
}

export interface Credential {
  readonly id: string
  readonly secret: string
}

export interface CallOptions {
  /** The company whose key is sent; null calls anonymously. Default: `tenantA`. */
  readonly as?: Company | null
  readonly json?: unknown
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The parsed body; `unknown` would make every test cast. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export function buildHouse(database: DatabaseKind, name: string): Promise<House> {
  return build(database, name, async (store, pepper) => ({
    mine: await addCompany(store, pepper, 'MITT', {}),
    other: await addCompany(store, pepper, 'DITT', {}),
  }))
}

/** A server before its set-up: all callers are anonymous. */
export function buildEmptyHouse(database: DatabaseKind, name: string): Promise<House> {
  return build(database, name, async () => ({ mine: nobody, other: nobody }))
}

const nobody: Company = { id: 0, name: '', password: '', key: '' }

async function build(
  database: DatabaseKind,
  name: string,
  settle: (store: Store, pepper: Buffer) => Promise<Tenants>,
): Promise<House> {
  const { url, drop } = await database.make(name)
  const pepper = randomBytes(32)
  const clock = { now: () => Date.now() * 1000 }
  const ground: Ground = {
    url,
    pepper,
    clock,
    backupFolder: join(tmpdir(), `dagsverk-backups-${randomBytes(6).toString('hex')}`),
    mail: {
      isOn: false,
      outbox: new Outbox(new Seal({ pepper, random: randomBytes }, 'letters'), () => clock.now()),
    },
  }
  const rooms = await openRooms(ground)
  const house = houseIn(rooms, ground, await settle(rooms.store, ground.pepper))
  return {
    ...house,
    close: async () => {
      await house.close()
      await drop()
      rmSync(house.backupFolder, { recursive: true, force: true })
    },
  }
}

/** What several servers share. */
interface Ground extends Pick<House, 'url' | 'clock' | 'mail' | 'backupFolder'> {
  readonly pepper: Buffer
}

function houseIn(rooms: Rooms, ground: Ground, { mine, other }: Tenants): House {
  const { server, store, gate, calls, sessions } = rooms
  const { pepper, url, clock, mail, backupFolder } = ground
  return {
    server,
    store,
    url,
    pepper,
    clock,
    mail,
    calls,
    refused: sessions.refused,
    backupFolder,
    mine,
    other,
    company: (name, options = {}) => addCompany(store, pepper, name, options),
    person: (jobs) => addPerson(store, jobs, 0),
    operator: (jobs) => addPerson(store, jobs, 1),
    credential: (of, options = {}) => addCredential(store, pepper, of.id, options),
    amend: async (id, changes) => {
      const credential = await credentialById(store, id)
      if (credential === undefined) throw new Error(`no credential ${id}`)
      await store.inHouseTransaction((writer) =>
        updateCredential(writer, { ...credential, ...changes }),
      )
    },
    twin: async (options) => houseIn(await openRooms(ground, options), ground, { mine, other }),
    call: async (method, address, options = {}) =>
      call(server, method, address, { as: mine, ...options }),
    close: async () => {
      await server.stop()
      await gate.settled()
      await store.close()
    },
  }
}

type Rooms = Awaited<ReturnType<typeof openRooms>>

async function openRooms(
  { url, pepper, clock, mail, backupFolder }: Ground,
  {
    provider,
    groupRoles = [],
    timeLimits = callerLimits,
    appFolder = join(root, 'web/dist'),
    ...options
  }: HouseOptions = {},
) {
  const store = await openStore({ url, isCreating: false, timeLimits })
  const cryptoContext = {
    random: randomBytes,
    clock: () => clock.now(),
    hashCost: cheapHash,
    pepper,
  }
  const gate = new Gate({
    ...cryptoContext,
    store,
    trustProxy: options.trustProxy ?? parseNetworks([]),
    allowHttp: parseNetworks([]),
    rate: rateOf(6000),
    publicUrl: '',
    onTrouble: (problem) => {
      throw problem
    },
  })
  const trustProxy = options.trustProxy ?? parseNetworks([])
  const sessions = new Sessions({
    ...cryptoContext,
    store,
    trustProxy,
    guard: gate.guard,
    factor: new SecondFactor(cryptoContext),
  })
  const app: Parameters<typeof appEndpoints>[0] = {
    store,
    gate,
    sessions,
    passkeys: new Passkeys({ store, sessions, minting: cryptoContext, publicUrl: '' }),
    signOn:
      provider === undefined
        ? null
        : new SignOn({
            store,
            sessions,
            minting: cryptoContext,
            provider: new Provider(provider),
            groupRoles: groupRoles.map(readGroupRole),
            name: 'Prøveleverandør',
            publicUrl: '',
            homePath: words.home,
            backPath: words.signOnBack,
          }),
    recovery: new Recovery({ store, minting: cryptoContext, trustProxy }),
    get outbox() {
      return mail.isOn ? mail.outbox : null
    },
    publicUrl: options.publicUrl ?? '',
    clock: () => clock.now(),
    minting: cryptoContext,
    today: (zone: string) => dayIn(zone, clock.now()),
    isSandbox: false,
    system: {
      version: '0.0.0',
      databaseUrl: url,
      settings: {},
      backupFolder,
      degraded: () => [],
      rateLimit: 6000,
    },
    webhookNetworks: parseNetworks(['127.0.0.0/8']),
    feed: new LiveFeed(store),
  }
  const calls = new CallNotes({ store, clock: () => clock.now() })
  const server = createApi({
    onAnswer: (told) => calls.note(told),
    beside: appEndpoints(app, randomBytes, appFolder),
    store,
    gate,
    clock: () => clock.now(),
    minting: cryptoContext,
    runningKeys: new RunningKeys(),
    version: '0.0.0',
    publicUrl: '',
    allowedHosts: [],
    ...options,
  })
  return { server, store, gate, calls, sessions }
}

async function addCompany(
  store: Store,
  pepper: Buffer,
  name: string,
  { timezone = 'Europe/Oslo', settings = {}, scopes = allScopes }: CompanyOptions,
): Promise<Company> {
  const stored = writeSettings({ ...defaultSettings, ...settings })
  const id = await store.inHouseTransaction((writer) =>
    insertCompany(writer, { name, timezone, currency: 'NOK', settings: stored }, Date.now() * 1000),
  )
  const password = await addCredential(store, pepper, id, { kind: 'password' })
  const key = await addCredential(store, pepper, id, { scopes: scopes.join(' ') })
  return { id, name, password: password.secret, key: key.secret }
}

async function addCredential(
  store: Store,
  pepper: Buffer,
  companyId: number,
  { kind = 'key', chosen, ...options }: CredentialOptions,
): Promise<Credential> {
  const made = generateKey('live', randomBytes)
  const secret = chosen ?? (kind === 'key' ? made.key : generatePassword(randomBytes))
  const secretHash =
    chosen === undefined ? hashGenerated(secret, pepper) : await hashChosen(secret, cheapHash)
  await store.inHouseTransaction((writer) =>
    insertCredential(writer, {
      companyId,
      id: made.id,
      kind,
      name: kind,
      owner: 'tests',
      secretKind: chosen === undefined ? 'generated' : 'chosen',
      secretHash,
      scopes: (kind === 'key' ? allScopes : passwordScopes).join(' '),
      addresses: null,
      version: 1,
      createdAt: Date.now() * 1000,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...options,
    }),
  )
  return { id: made.id, secret }
}

let people = 0

async function addPerson(store: Store, jobs: readonly Job[], isOperator: 0 | 1): Promise<Person> {
  const email = `person${++people}@eksempel.no`
  const password = 'fire ulike ord her'
  const passwordHash = await hashChosen(password, cheapHash)
  const id = await store.inHouseTransaction(async (writer) => {
    const userId = await insertUser(writer, { email, passwordHash, isOperator }, Date.now() * 1000)
    for (const { company, role, departments } of jobs)
      await saveMembership(writer, {
        companyId: company.id,
        userId,
        role,
        departments: departments === undefined ? null : JSON.stringify(departments),
      })
    return userId
  })
  return { id, email, password }
}

/** Argon2id with a low cost for tests. */
const cheapHash = { memoryKiB: 64, passes: 1 }

async function call(
  server: HttpServer,
  method: string,
  address: string,
  { as, json, body, headers = {}, address: remoteAddress }: CallOptions,
): Promise<Answer> {
  const payload = json === undefined ? body : JSON.stringify(json)
  const answer = await server.inject({
    method,
    url: address,
    headers: {
      host: 'localhost',
      ...(as ? { 'tb-key': as.key } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  })
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string | undefined>,
    text: answer.body,
    get json() {
      return JSON.parse(answer.body)
    },
  }
}
