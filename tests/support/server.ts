// A complete server in the test process: two companies, requests without sockets, a settable clock.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'light-my-request'
import type { PasswordHashLoad } from '../../src/auth/authenticator/authenticator.ts'
import { hashPassword, hashSecret, type HashCost } from '../../src/auth/passwords/password-hash.ts'
import type { Role } from '../../src/auth/roles.ts'
import { passwordScopes, scopes as allScopes, type Scope } from '../../src/auth/scopes.ts'
import { generateKey, generatePassword } from '../../src/auth/tokens/secret.ts'
import type { RejectedSignInBuffer } from '../../src/auth/sessions/sign-in-audit.ts'
import { defaultSettings, writeSettings, type CompanySettings } from '../../src/auth/companies/company-settings.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { insertCompany } from '../../src/store/accounts/companies.ts'
import {
  companyPasswordOwner,
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
import { beforeAll, beforeEach } from 'vitest'
import { parseMasterKey } from '../../src/auth/tokens/master-key.ts'
import { readConfiguration } from '../../src/config/read-config.ts'
import { variableName, type SettingName } from '../../src/config/settings.ts'
import type { MailQueue } from '../../src/notifications/mail/mail-queue.ts'
import type { WebhookDelivery } from '../../src/notifications/webhooks/deliver.ts'
import { createServer, type CompositionOptions } from '../../src/server/create-server.ts'
import { deleteExpired } from '../../src/server/expired-data.ts'
import type { ApiCallLog } from '../../src/server/metrics/api-call-log.ts'
import { makeDataFolder } from './data-folder.ts'

/** The two companies that every test server has. */
interface Tenants {
  readonly tenantA: TestCompany
  readonly tenantB: TestCompany
}

export interface TestServer extends Tenants {
  readonly http: HttpServer
  readonly store: Store
  readonly url: string
  /** In base64; commands on the database need the same one. */
  readonly masterKey: string
  /** The key that encrypts secrets. */
  readonly pepper: Buffer
  /** Microseconds; the real time unless the test sets it. */
  readonly clock: { now: () => number }
  /** Null unless the settings name a mail server. */
  readonly mailQueue: MailQueue | null
  /** One turn of the mail delivery, which does not run by itself. */
  sendMail(): Promise<void>
  /** Delivers what is due when the test says so. */
  readonly webhookDelivery: WebhookDelivery
  /** The backup folder; deleted with the server. */
  readonly backupFolder: string
  /** The API call log; written when the test flushes it. */
  readonly apiCallLog: ApiCallLog
  readonly failedSignIns: RejectedSignInBuffer
  /** The hourly job, which does not run by itself. */
  deleteExpired(): Promise<void>
  hashLoad(): PasswordHashLoad
  addCompany(name: string, options?: TestCompanyOptions): Promise<TestCompany>
  /**
   * Adds a user with a role in each of these companies; an approver may be limited to departments.
   */
  addUser(jobs: readonly TestMembership[], name?: string): Promise<TestUser>
  /** Adds a user who is an operator as well. */
  addOperator(jobs: readonly TestMembership[]): Promise<TestUser>
  /** Adds another credential of a company. */
  addCredential(of: TestCompany, options?: TestCredentialOptions): Promise<TestCredential>
  /** Changes a credential in the database, as a command would. */
  updateCredential(id: string, changes: Partial<CredentialTable>): Promise<void>
  /** Another server on the same database, as another process would be, with other options; closed with this one at the latest. */
  secondInstance(options?: TestServerOptions): Promise<TestServer>
  call(method: string, address: string, options?: CallOptions): Promise<TestReply>
  close(): Promise<void>
}

export interface TestServerOptions extends Pick<CompositionOptions['api'], 'limits' | 'services'> {
  /** As in the environment of a server, by name; all others have their defaults. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>
  readonly timeLimits?: TimeLimits
  readonly logBytesMax?: number
  /** What a guess for an unknown name costs. */
  readonly hashCost?: HashCost
  /** The folder of the browser app. */
  readonly appFolder?: string
  /** Receives the log. */
  readonly print?: (text: string) => void
  /** The number of this process among several on one port. */
  readonly workerId?: number
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
  Pick<CredentialTable, 'kind' | 'owner' | 'scopes' | 'allowedNetworks' | 'expiresAt'>
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

/**
 * A server for all tests of a suite, which is closed after them. Before the first test its members are missing. Options
 * that another hook prepares come from a function.
 */
export function useTestServer(
  database: DatabaseKind,
  name: string,
  options: TestServerOptions | (() => TestServerOptions) = {},
): TestServer {
  const server = {} as TestServer
  beforeAll(async () => {
    const chosen = typeof options === 'function' ? options() : options
    Object.assign(server, await startTestServer(database, name, chosen))
    return () => server.close()
  })
  return server
}

/**
 * The clock of a server, in microseconds since 1970: at `start` (by default the present) before each test, and moved by
 * setting `now`.
 */
export function useClock(server: TestServer, start?: number): { now: number } {
  const clock = { now: 0 }
  beforeEach(() => {
    clock.now = start ?? Date.now() * 1000
    server.clock.now = () => clock.now
  })
  return clock
}

/** A company for each test of a suite; its members are missing before the first one. */
export function useCompany(server: TestServer): TestCompany {
  const company = {} as TestCompany
  beforeEach(async () => {
    Object.assign(company, await server.addCompany(`FIRMA ${++companyCount}`))
  })
  return company
}

let companyCount = 0

export function startTestServer(
  database: DatabaseKind,
  name: string,
  options: TestServerOptions = {},
): Promise<TestServer> {
  return startWithTenants(database, name, options, async (store, pepper) => ({
    tenantA: await insertTestCompany(store, pepper, 'MITT', {}),
    tenantB: await insertTestCompany(store, pepper, 'DITT', {}),
  }))
}

/** A server before its set-up: all callers are anonymous. */
export function startEmptyTestServer(database: DatabaseKind, name: string): Promise<TestServer> {
  return startWithTenants(database, name, {}, async () => ({ tenantA: noCompany, tenantB: noCompany }))
}

const noCompany: TestCompany = { id: 0, name: '', password: '', key: '' }

async function startWithTenants(
  database: DatabaseKind,
  name: string,
  options: TestServerOptions,
  addTenants: (store: Store, pepper: Buffer) => Promise<Tenants>,
): Promise<TestServer> {
  const { url, drop } = await database.make(name)
  const masterKey = randomBytes(32).toString('base64')
  const pepper = parseMasterKey(masterKey)?.pepper
  if (pepper === undefined) throw new Error('invalid master key')
  const shared: SharedState = {
    url,
    masterKey,
    pepper,
    clock: { now: () => Date.now() * 1000 },
    dataDir: makeDataFolder('data'),
  }
  const instance = await openInstance(shared, options)
  const server = toTestServer(instance, shared, await addTenants(instance.store, pepper))
  return {
    ...server,
    close: async () => {
      await server.close()
      await drop()
      rmSync(shared.dataDir, { recursive: true, force: true })
    },
  }
}

/** What several servers share. */
interface SharedState extends Pick<TestServer, 'url' | 'clock' | 'masterKey' | 'pepper'> {
  readonly dataDir: string
}

function toTestServer(
  { store, parts }: ServerInstance,
  shared: SharedState,
  { tenantA, tenantB }: Tenants,
): TestServer {
  const { api, authenticator, sessions, apiCallLog, mailQueue, mailDelivery, webhookDelivery } = parts
  const { masterKey, pepper, url, clock, dataDir } = shared
  const openInstances = new Set<TestServer>()
  return {
    http: api,
    store,
    url,
    masterKey,
    pepper,
    clock,
    mailQueue,
    sendMail: async () => mailDelivery?.deliverDue(),
    webhookDelivery,
    apiCallLog,
    failedSignIns: sessions.rejectedSignIns,
    deleteExpired: () => deleteExpired({ store, clock: () => clock.now(), server: parts }),
    hashLoad: () => authenticator.load(),
    backupFolder: join(dataDir, 'backups'),
    tenantA,
    tenantB,
    addCompany: (name, options = {}) => insertTestCompany(store, pepper, name, options),
    addUser: (jobs, name) => insertTestUser(store, jobs, 0, name),
    addOperator: (jobs) => insertTestUser(store, jobs, 1),
    addCredential: (of, options = {}) => insertTestCredential(store, pepper, of.id, options),
    updateCredential: async (id, changes) => {
      const credential = await findCredential(store, { id })
      if (credential === undefined) throw new Error(`no credential ${id}`)
      await store.inSystemTransaction((writer) => updateCredential(writer, { ...credential, ...changes }))
    },
    secondInstance: async (options = {}) => {
      const added = toTestServer(await openInstance(shared, options), shared, { tenantA, tenantB })
      const instance = {
        ...added,
        close: async () => {
          if (openInstances.delete(instance)) await added.close()
        },
      }
      openInstances.add(instance)
      return instance
    },
    call: async (method, address, options = {}) => call(api, method, address, { as: tenantA, ...options }),
    close: async () => {
      await Promise.all([...openInstances].map((instance) => instance.close()))
      await api.stop()
      await mailDelivery?.stop()
      await webhookDelivery.stop()
      await authenticator.flushUsage()
      await store.close()
    },
  }
}

type ServerInstance = Awaited<ReturnType<typeof openInstance>>

/** The server of `dagsverk serve`, without a port and without periodic jobs. */
async function openInstance(
  { url, masterKey, clock, dataDir }: SharedState,
  {
    settings = {},
    timeLimits = requestTimeLimits,
    logBytesMax,
    hashCost = cheapHash,
    appFolder = join(root, 'web/dist'),
    print = throwOnBackgroundError,
    workerId,
    ...api
  }: TestServerOptions,
) {
  const configured = {
    dataDir,
    databaseUrl: url,
    masterKey,
    logLevel: 'error',
    webhookNetworks: '127.0.0.0/8',
    ...settings,
  }
  const { config } = readConfiguration({
    flags: {},
    environment: Object.fromEntries(Object.entries(configured).map(([name, value]) => [variableName(name), value])),
    cwd: dataDir,
  })
  const store = await openStore({
    url,
    canCreate: false,
    timeLimits,
    ...(logBytesMax === undefined ? {} : { logBytesMax }),
  })
  const parts = await createServer(
    store,
    { config, hashCost, api },
    {
      appFolder,
      printLog: print,
      printMessage: print,
      clock: () => clock.now(),
      monotonicMs: () => performance.now(),
      random: randomBytes,
      onReload: () => undefined,
    },
    workerId === undefined ? null : { id: workerId },
  )
  await parts.api.ready()
  return { store, parts }
}

/** A background write that fails is noticed by nobody else. */
function throwOnBackgroundError(text: string): void {
  if (text.includes('a background write failed')) throw new Error(text)
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
  const secretHash = chosen === undefined ? hashSecret(secret, pepper) : await hashPassword(secret, cheapHash)
  await store.inSystemTransaction((writer) =>
    insertCredential(writer, {
      companyId,
      id: generated.id,
      kind,
      name: kind,
      owner: kind === 'password' ? companyPasswordOwner : 'tests',
      secretKind: chosen === undefined ? 'generated' : 'chosen',
      secretHash,
      scopes: (kind === 'key' ? allScopes : passwordScopes).join(' '),
      allowedNetworks: null,
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
  name: string | null = null,
): Promise<TestUser> {
  const email = `person${++userCount}@eksempel.no`
  const password = 'fire ulike ord her'
  const passwordHash = await hashPassword(password, cheapHash)
  const id = await store.inSystemTransaction(async (writer) => {
    const userId = await insertUser(writer, { email, name, passwordHash, isOperator }, Date.now() * 1000)
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
  const reply = await inject((message, response) => server.dispatch(message, response), {
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
