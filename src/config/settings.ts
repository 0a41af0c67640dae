// Every setting of the server: what it is, its flag and its variable, and what may be shown of it.
import type { Networks } from '../lib/network.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute. */
  readonly dataDir: string
  /** `sqlite:` and an absolute path, or `postgres://…`. */
  readonly databaseUrl: string
  /** Without a slash at its end; '' on a server without a public name. */
  readonly publicUrl: string
  /** Absolute: the folder of the export journal; null for none. */
  readonly exportJournal: string | null
  readonly allowedHosts: readonly string[]
  readonly trustProxy: Networks
  readonly allowHttp: Networks
  /** Calls a minute; null: no limit. */
  readonly rateLimit: number | null
  readonly logLevel: LogLevel
  /** On 127.0.0.1; null: no metrics. */
  readonly metricsPort: number | null
  /** Whether passwords and keys may stand in addresses. */
  readonly queryCredentials: QueryCredentials
  /** Processes that share the port. */
  readonly workers: number
  /** `smtp://…` or `smtps://…`; '' on a server that sends no mail. */
  readonly smtpUrl: string
  /** `Name <address>` or an address; '' where no mail is sent. */
  readonly mailFrom: string
  /** Private networks that webhooks may reach. */
  readonly webhookNetworks: Networks
  /** As it was written; '' where none was given. */
  readonly masterKey: string
  /** The identity provider, as it spells itself; '' for none. */
  readonly oidcIssuer: string
  readonly oidcClientId: string
  /** '' for a client without one. */
  readonly oidcClientSecret: string
  /** What people call the provider. */
  readonly oidcName: string
  readonly oidcScopes: string
  readonly oidcGroupsClaim: string
  /** `GROUP=COMPANY:ROLE` each. */
  readonly oidcRoles: readonly string[]
  readonly oidcHosts: readonly string[]
}

export type SettingName = keyof Config

export interface Setting {
  readonly says: string
  /** What holds when nobody says anything; '' is nothing. */
  readonly absent: string
  /** Never shown, never an argument of a command, and also read from the file that `…_FILE` names. */
  readonly isSecret?: true
}

/**
 * Every setting. Its flag, its variable and its place in the file follow from its name:
 * `--data-dir`, `DAGSVERK_DATA_DIR`, `"dataDir"`.
 */
export const settings: Readonly<Record<SettingName, Setting>> = {
  port: { says: 'port to listen on; 0 takes a free one', absent: '8080' },
  host: { says: 'address to listen on', absent: '127.0.0.1' },
  dataDir: { says: 'folder of the database and the master key', absent: './data' },
  databaseUrl: {
    says: 'sqlite:PATH or postgres://…; dagsverk.db in the data folder unless set',
    absent: '',
    isSecret: true,
  },
  publicUrl: { says: 'how callers reach the server, like https://tall.example.no', absent: '' },
  exportJournal: {
    says: 'folder of the export journal; in the data folder with SQLite, and none with PostgreSQL, unless set',
    absent: '',
  },
  allowedHosts: { says: 'further host names that the server answers to', absent: '' },
  trustProxy: { says: 'addresses of proxies whose X-Forwarded headers are believed', absent: '' },
  allowHttp: { says: 'networks where plain http is served beside this machine', absent: '' },
  rateLimit: { says: 'calls a minute of one credential, or off', absent: '6000' },
  logLevel: { says: 'least weight of what is logged', absent: 'info' },
  metricsPort: { says: 'port of 127.0.0.1 that tells metrics; none unless set', absent: '' },
  queryCredentials: {
    says: 'whether secrets may stand in addresses: allow or deny',
    absent: 'allow',
  },
  workers: { says: 'processes that share the port, with PostgreSQL', absent: '1' },
  smtpUrl: {
    says: 'where mail is handed in: smtp://USER:PASSWORD@HOST:PORT or smtps://…; none is sent unless set',
    absent: '',
    isSecret: true,
  },
  webhookNetworks: {
    says: 'private networks that webhooks may reach, also without TLS',
    absent: '',
  },
  mailFrom: { says: 'whom mail comes from, like Dagsverk <dagsverk@example.no>', absent: '' },
  masterKey: { says: 'the master key, 32 bytes in base64', absent: '', isSecret: true },
  oidcIssuer: {
    says: 'identity provider that people may sign in over, as it spells itself',
    absent: '',
  },
  oidcClientId: { says: 'what the identity provider calls this server', absent: '' },
  oidcClientSecret: {
    says: 'what this server shows the identity provider',
    absent: '',
    isSecret: true,
  },
  oidcName: { says: 'what the sign-in page calls the identity provider', absent: 'SSO' },
  oidcScopes: { says: 'what the identity provider is asked for', absent: 'openid email profile' },
  oidcGroupsClaim: { says: 'claim that lists the groups of a person', absent: 'groups' },
  oidcRoles: {
    says: 'roles that groups give: GROUP=COMPANY:ROLE, with commas between',
    absent: '',
  },
  oidcHosts: { says: 'hosts of the identity provider beside the one of its issuer', absent: '' },
}

/** In the order of the table. */
export const settingNames: readonly SettingName[] = [
  'port',
  'host',
  'dataDir',
  'databaseUrl',
  'publicUrl',
  'exportJournal',
  'allowedHosts',
  'trustProxy',
  'allowHttp',
  'rateLimit',
  'logLevel',
  'metricsPort',
  'queryCredentials',
  'workers',
  'smtpUrl',
  'mailFrom',
  'webhookNetworks',
  'masterKey',
  'oidcIssuer',
  'oidcClientId',
  'oidcClientSecret',
  'oidcName',
  'oidcScopes',
  'oidcGroupsClaim',
  'oidcRoles',
  'oidcHosts',
]

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

type LogLevel = (typeof logLevels)[number]

export const queryCredentials = ['allow', 'deny'] as const

type QueryCredentials = (typeof queryCredentials)[number]

/** `dataDir` is `--data-dir` on the command line, and `DAGSVERK_DATA_DIR` in the environment. */
export function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export function variable(name: string): string {
  return `${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** Of every variable of ours. */
export const prefix = 'DAGSVERK_'

/** What may be shown of a value: everything but secrets. */
export function shown(name: SettingName, config: Config): string {
  if (name === 'databaseUrl' || name === 'smtpUrl') return withoutPassword(config[name])
  if (name === 'masterKey' || name === 'oidcClientSecret') return config[name] === '' ? '' : '***'
  const value = config[name]
  if (value === null) return name === 'metricsPort' ? '' : 'off'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return ('names' in value ? value.names : value).join(',')
}

/** What may be handed to a stranger who helps: of the groups' roles, which name companies, how many there are. */
export function shownOutside(name: SettingName, config: Config): string {
  return name === 'oidcRoles' ? String(config.oidcRoles.length) : shown(name, config)
}

/** An address with stars for its password. */
export function withoutPassword(address: string): string {
  if (address === '' || address.startsWith('sqlite:')) return address
  const url = new URL(address)
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}
