// A complete server in the test process: two companies, requests without sockets, a settable clock.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApi, type ApiOptions } from '../../src/api/server.ts'
import { RunningKeys } from '../../src/api/write-pipeline/running-keys.ts'
import { appEndpoints } from '../../src/app/endpoints.ts'
import { LiveFeed } from '../../src/app/live/live-feed.ts'
import { SecondFactor } from '../../src/auth/mfa/second-factor.ts'
import { appPaths } from '../../src/app/paths.ts'
import { Authenticator } from '../../src/auth/authenticator/authenticator.ts'
import { hashPassword, hashSecret } from '../../src/auth/passwords/password-hash.ts'
import { Passkeys } from '../../src/auth/mfa/passkeys.ts'
import type { Role } from '../../src/auth/roles.ts'
import { rateOf } from '../../src/auth/authenticator/rate-limit.ts'
import { passwordScopes, scopes as allScopes, type Scope } from '../../src/auth/scopes.ts'
import { generateKey, generatePassword } from '../../src/auth/tokens/secret.ts'
import { PasswordReset } from '../../src/auth/passwords/password-reset.ts'
import { Encryptor } from '../../src/auth/tokens/encryptor.ts'
import type { RejectedSignInBuffer } from '../../src/auth/sessions/sign-in-audit.ts'
import { Sessions } from '../../src/auth/sessions/sessions.ts'
import {
  defaultSettings,
  writeSettings,
  type CompanySettings,
} from '../../src/auth/companies/company-settings.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { dayIn } from '../../src/lib/civil-date.ts'
import { parseNetworks } from '../../src/lib/network.ts'
import { parseGroupRole } from '../../src/sso/group-roles.ts'
import { OidcProvider, type ProviderSettings } from '../../src/sso/provider.ts'
import { OidcLogin } from '../../src/sso/login.ts'
import { ApiCallLog } from '../../src/server/metrics/api-call-log.ts'
import { MailQueue } from '../../src/notifications/mail/mail-queue.ts'
import { insertCompany } from '../../src/store/accounts/companies.ts'
import {
  findCredential,
  insertCredential,
  updateCredential,
} from '../../src/store/accounts/credentials.ts'
import { openStore } from '../../src/store/open-store.ts'
import { requestTimeLimits, type TimeLimits } from '../../src/store/time-limits.ts'
import type { Store } from '../../src/store/store.ts'
import type { CredentialTable } from '../../src/store/tables/accounts.ts'
import { insertUser, saveMembership } from '../../src/store/accounts/users.ts'
import type { DatabaseKind } from './databases.ts'
import { root } from './repository.ts'

/** The two companies that every test server has. */
interface Tenants {
  readonly tenantA: TestCompany
  readonly tenantB: TestCompany
}

export interface TestServer extends Tenants {
  readonly http: HttpServer
  readonly store: Store
  readonly url: string
  /** The key that encrypts secrets. */
  readonly pepper: Buffer
  /** Microseconds; the real time unless the test sets it. */
  readonly clock: { now: () => number }
  /** Off unless the test enables it; the test runs the mail worker itself. */
  readonly mail: { isOn: boolean; readonly outbox: MailQueue }
  /** The backup folder; deleted with the server. */
  readonly backupFolder: string
  /** The API call log; written when the test flushes it. */
  readonly apiCallLog: ApiCallLog
  readonly failedSignIns: RejectedSignInBuffer
  addCompany(name: string, options?: TestCompanyOptions): Promise<TestCompany>
  /**
   * Adds a user with a role in each of these companies; an approver may be limited to departments.
   */
  addUser(jobs: readonly TestMembership[]): Promise<TestUser>
  /** Adds a user who is an operator as well. */
  addOperator(jobs: readonly TestMembership[]): Promise<TestUser>
  /** Adds another credential of a company. */
  addCredential(of: TestCompany, options?: TestCredentialOptions): Promise<TestCredential>
  /** Changes a credential in the database, as a command would. */
  updateCredential(id: string, changes: Partial<CredentialTable>): Promise<void>
  /** A second server on the same database, as another process would be, with other options. */
  secondInstance(options?: TestServerOptions): Promise<TestServer>
  call(method: string, address: string, options?: CallOptions): Promise<TestReply>
  close(): Promise<void>
}

export interface TestServerOptions extends Partial<ApiOptions> {
  /** The identity provider for sign-in. */
  readonly provider?: ProviderSettings
  readonly groupRoles?: readonly string[]
  readonly timeLimits?: TimeLimits
  /** The folder of the browser app. */
  readonly appFolder?: string
}

export interface TestCompanyOptions {
  readonly timezone?: string
  readonly settings?: Partial<CompanySettings>
  readonly scopes?: readonly Scope[]
}

export interface TestCompany {
  readonly id: number
  readonly name: string
  readonly password: string
  readonly key: string
}

export interface TestMembership {
  readonly company: TestCompany
  readonly role: Role
  readonly departments?: readonly string[]
}

export interface TestUser {
  readonly id: number
  readonly email: string
  readonly password: string
}

export interface TestCredentialOptions extends Partial<
  Pick<CredentialTable, 'kind' | 'owner' | 'scopes' | 'addresses' | 'expiresAt'>
> {
  /** A chosen secret; without it one is generated. */
  readonly chosen?: string
}

export interface TestCredential {
  readonly id: string
  readonly secret: string
}

export interface CallOptions {
  /** The company whose key is sent; null calls anonymously. Default: `tenantA`. */
  readonly as?: TestCompany | null
  readonly json?: unknown
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

export interface TestReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The parsed body; `unknown` would make every test cast. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any
}

export function startTestServer(database: DatabaseKind, name: string): Promise<TestServer> {
  return startWithTenants(database, name, async (store, pepper) => ({
    tenantA: await insertTestCompany(store, pepper, 'MITT', {}),
    tenantB: await insertTestCompany(store, pepper, 'DITT', {}),
  }))
}

/** A server before its set-up: all callers are anonymous. */
export function startEmptyTestServer(database: DatabaseKind, name: string): Promise<TestServer> {
  return startWithTenants(database, name, async () => ({ tenantA: noCompany, tenantB: noCompany }))
}

const noCompany: TestCompany = { id: 0, name: '', password: '', key: '' }

async function startWithTenants(
  database: DatabaseKind,
  name: string,
  addTenants: (store: Store, pepper: Buffer) => Promise<Tenants>,
): Promise<TestServer> {
  const { url, drop } = await database.make(name)
  const pepper = randomBytes(32)
  const clock = { now: () => Date.now() * 1000 }
  const shared: SharedState = {
    url,
    pepper,
    clock,
    backupFolder: join(tmpdir(), `dagsverk-backups-${randomBytes(6).toString('hex')}`),
    mail: {
      isOn: false,
      outbox: new MailQueue(new Encryptor({ pepper, random: randomBytes }, 'letters'), () =>
        clock.now(),
      ),
    },
  }
  const instance = await openInstance(shared)
  const server = toTestServer(instance, shared, await addTenants(instance.store, shared.pepper))
  return {
    ...server,
    close: async () => {
      await server.close()
      await drop()
      rmSync(server.backupFolder, { recursive: true, force: true })
    },
  }
}

/** What several servers share. */
interface SharedState extends Pick<TestServer, 'url' | 'clock' | 'mail' | 'backupFolder'> {
  readonly pepper: Buffer
}

function toTestServer(
  instance: ServerInstance,
  shared: SharedState,
  { tenantA, tenantB }: Tenants,
): TestServer {
  const { server: http, store, gate, apiCallLog, sessions } = instance
  const { pepper, url, clock, mail, backupFolder } = shared
  return {
    http,
    store,
    url,
    pepper,
    clock,
    mail,
    apiCallLog,
    failedSignIns: sessions.rejectedSignIns,
    backupFolder,
    tenantA,
    tenantB,
    addCompany: (name, options = {}) => insertTestCompany(store, pepper, name, options),
    addUser: (jobs) => insertTestUser(store, jobs, 0),
    addOperator: (jobs) => insertTestUser(store, jobs, 1),
    addCredential: (of, options = {}) => insertTestCredential(store, pepper, of.id, options),
    updateCredential: async (id, changes) => {
      const credential = await findCredential(store, id)
      if (credential === undefined) throw new Error(`no credential ${id}`)
      await store.inSystemTransaction((writer) =>
        updateCredential(writer, { ...credential, ...changes }),
      )
    },
    secondInstance: async (options) =>
      toTestServer(await openInstance(shared, options), shared, { tenantA, tenantB }),
    call: async (method, address, options = {}) =>
      call(http, method, address, { as: tenantA, ...options }),
    close: async () => {
      await http.stop()
      await gate.flushUsage()
      await store.close()
    },
  }
}

type ServerInstance = Awaited<ReturnType<typeof openInstance>>

async function openInstance(
  { url, pepper, clock, mail, backupFolder }: SharedState,
  {
    provider,
    groupRoles = [],
    timeLimits = requestTimeLimits,
    appFolder = join(root, 'web/dist'),
    ...options
  }: TestServerOptions = {},
) {
  const store = await openStore({ url, canCreate: false, timeLimits })
  const cryptoContext = {
    random: randomBytes,
    clock: () => clock.now(),
    hashCost: cheapHash,
    pepper,
  }
  const gate = new Authenticator({
    ...cryptoContext,
    store,
    trustProxy: options.trustProxy ?? parseNetworks([]),
    allowHttp: parseNetworks([]),
    rate: rateOf(6000),
    publicUrl: '',
    onBackgroundError: (problem) => {
      throw problem
    },
  })
  const trustProxy = options.trustProxy ?? parseNetworks([])
  const sessions = new Sessions({
    ...cryptoContext,
    store,
    trustProxy,
    passwordThrottle: gate.passwordThrottle,
    secondFactor: new SecondFactor(cryptoContext),
  })
  const app: Parameters<typeof appEndpoints>[0] = {
    store,
    gate,
    sessions,
    passkeys: new Passkeys({ store, sessions, cryptoContext, publicUrl: '' }),
    signOn:
      provider === undefined
        ? null
        : new OidcLogin({
            store,
            sessions,
            cryptoContext,
            provider: new OidcProvider(provider),
            groupRoles: groupRoles.map(parseGroupRole),
            name: 'Prøveleverandør',
            publicUrl: '',
            homePath: appPaths.home,
            backPath: appPaths.signOnBack,
          }),
    recovery: new PasswordReset({ store, cryptoContext, trustProxy }),
    get outbox() {
      return mail.isOn ? mail.outbox : null
    },
    publicUrl: options.publicUrl ?? '',
    clock: () => clock.now(),
    cryptoContext,
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
  const apiCallLog = new ApiCallLog({ store, clock: () => clock.now() })
  const http = createApi({
    onAnswer: (entry) => apiCallLog.record(entry),
    extraEndpoints: appEndpoints(app, randomBytes, appFolder),
    store,
    authenticator: gate,
    clock: () => clock.now(),
    cryptoContext,
    runningKeys: new RunningKeys(),
    version: '0.0.0',
    publicUrl: '',
    allowedHosts: [],
    ...options,
  })
  return { server: http, store, gate, apiCallLog, sessions }
}

async function insertTestCompany(
  store: Store,
  pepper: Buffer,
  name: string,
  { timezone = 'Europe/Oslo', settings = {}, scopes = allScopes }: TestCompanyOptions,
): Promise<TestCompany> {
  const stored = writeSettings({ ...defaultSettings, ...settings })
  const id = await store.inSystemTransaction((writer) =>
    insertCompany(writer, { name, timezone, currency: 'NOK', settings: stored }, Date.now() * 1000),
  )
  const password = await insertTestCredential(store, pepper, id, { kind: 'password' })
  const key = await insertTestCredential(store, pepper, id, { scopes: scopes.join(' ') })
  return { id, name, password: password.secret, key: key.secret }
}

async function insertTestCredential(
  store: Store,
  pepper: Buffer,
  companyId: number,
  { kind = 'key', chosen, ...options }: TestCredentialOptions,
): Promise<TestCredential> {
  const generated = generateKey('live', randomBytes)
  const secret = chosen ?? (kind === 'key' ? generated.key : generatePassword(randomBytes))
  const secretHash =
    chosen === undefined ? hashSecret(secret, pepper) : await hashPassword(secret, cheapHash)
  await store.inSystemTransaction((writer) =>
    insertCredential(writer, {
      companyId,
      id: generated.id,
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
  return { id: generated.id, secret }
}

let userCount = 0

async function insertTestUser(
  store: Store,
  jobs: readonly TestMembership[],
  isOperator: 0 | 1,
): Promise<TestUser> {
  const email = `person${++userCount}@eksempel.no`
  const password = 'fire ulike ord her'
  const passwordHash = await hashPassword(password, cheapHash)
  const id = await store.inSystemTransaction(async (writer) => {
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
): Promise<TestReply> {
  const payload = json === undefined ? body : JSON.stringify(json)
  const reply = await server.inject({
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
    status: reply.statusCode,
    headers: reply.headers as Record<string, string | undefined>,
    text: reply.body,
    get json() {
      return JSON.parse(reply.body)
    },
  }
}
