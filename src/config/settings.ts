// Settings of the server: types, help texts, defaults, flag and variable names, and masking.
import type { Networks } from '../lib/network.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** `sqlite:` with an absolute path, or `postgres://…`. */
  readonly databaseUrl: string
  /** Without a trailing slash; '' if not set. */
  readonly publicUrl: string
  /** Absolute path of the export journal's folder; null for none. */
  readonly exportJournal: string | null
  readonly allowedHosts: readonly string[]
  readonly trustProxy: Networks
  readonly allowHttp: Networks
  /** Requests per minute; null for no limit. */
  readonly rateLimit: number | null
  readonly logLevel: LogLevel
  /** On 127.0.0.1; null for no metrics. */
  readonly metricsPort: number | null
  /** Whether credentials are accepted in the query string. */
  readonly queryCredentials: QueryCredentials
  /** Processes that share the port. */
  readonly workers: number
  /** `smtp://…` or `smtps://…`; '' if no e-mail is sent. */
  readonly smtpUrl: string
  /** `Name <address>` or an address; '' if no e-mail is sent. */
  readonly mailFrom: string
  /** Private networks that webhooks may call. */
  readonly webhookNetworks: Networks
  /** Base64 as configured; '' if not set. */
  readonly masterKey: string
  /** The issuer of the identity provider; '' for none. */
  readonly oidcIssuer: string
  readonly oidcClientId: string
  /** '' for a client without one. */
  readonly oidcClientSecret: string
  /** The provider's name on the sign-in page. */
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
  /** The default value; '' for not set. */
  readonly absent: string
  /** Masked in output, not accepted as a command argument, and also read from the file that `…_FILE` names. */
  readonly isSecret?: true
}

/**
 * All settings. Flag, variable and config file member follow from the name:
 * `--data-dir`, `DAGSVERK_DATA_DIR`, `"dataDir"`.
 */
export const settings: Readonly<Record<SettingName, Setting>> = {
  port: { says: 'port to listen on; 0 selects a free port', absent: '8080' },
  host: { says: 'address to listen on', absent: '127.0.0.1' },
  dataDir: { says: 'folder of the database and the master key', absent: './data' },
  databaseUrl: {
    says: 'sqlite:PATH or postgres://…; default: dagsverk.db in the data folder',
    absent: '',
    isSecret: true,
  },
  publicUrl: { says: 'public URL of the server, like https://tall.example.no', absent: '' },
  exportJournal: {
    says: 'folder of the export journal; default: in the data folder with SQLite, none with PostgreSQL',
    absent: '',
  },
  allowedHosts: { says: 'additional host names of the server', absent: '' },
  trustProxy: { says: 'IP addresses of proxies whose X-Forwarded headers are trusted', absent: '' },
  allowHttp: {
    says: 'networks from which plain HTTP is accepted, in addition to this machine',
    absent: '',
  },
  rateLimit: { says: 'requests per minute and credential, or off', absent: '6000' },
  logLevel: { says: 'minimum log level', absent: 'info' },
  metricsPort: { says: 'local port for Prometheus metrics; default: none', absent: '' },
  queryCredentials: {
    says: 'credentials in the query string: allow or deny',
    absent: 'allow',
  },
  workers: { says: 'number of server processes (PostgreSQL only)', absent: '1' },
  smtpUrl: {
    says: 'mail server: smtp://USER:PASSWORD@HOST:PORT or smtps://…; default: no e-mail is sent',
    absent: '',
    isSecret: true,
  },
  webhookNetworks: {
    says: 'private networks that webhooks may call, also without TLS',
    absent: '',
  },
  mailFrom: { says: 'sender of e-mail, like Dagsverk <dagsverk@example.no>', absent: '' },
  masterKey: { says: 'the master key, 32 bytes in base64', absent: '', isSecret: true },
  oidcIssuer: {
    says: 'OpenID Connect issuer of the identity provider',
    absent: '',
  },
  oidcClientId: { says: 'OpenID Connect client id of this server', absent: '' },
  oidcClientSecret: {
    says: 'OpenID Connect client secret',
    absent: '',
    isSecret: true,
  },
  oidcName: { says: 'name of the identity provider on the sign-in page', absent: 'SSO' },
  oidcScopes: { says: 'OpenID Connect scopes to request', absent: 'openid email profile' },
  oidcGroupsClaim: { says: 'claim that lists the groups of a user', absent: 'groups' },
  oidcRoles: {
    says: 'roles by group: GROUP=COMPANY:ROLE, separated by commas',
    absent: '',
  },
  oidcHosts: { says: 'additional hosts of the identity provider', absent: '' },
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

/** The prefix of all environment variables. */
export const prefix = 'DAGSVERK_'

/** The value for display, with secrets masked. */
export function shown(name: SettingName, config: Config): string {
  if (name === 'databaseUrl' || name === 'smtpUrl') return withoutPassword(config[name])
  if (name === 'masterKey' || name === 'oidcClientSecret') return config[name] === '' ? '' : '***'
  const value = config[name]
  if (value === null) return name === 'metricsPort' ? '' : 'off'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return ('names' in value ? value.names : value).join(',')
}

/** The value for a support bundle, which must not name companies: only the number of group roles. */
export function shownOutside(name: SettingName, config: Config): string {
  return name === 'oidcRoles' ? String(config.oidcRoles.length) : shown(name, config)
}

/** A URL with its password masked. */
export function withoutPassword(address: string): string {
  if (address === '' || address.startsWith('sqlite:')) return address
  const url = new URL(address)
  if (url.password !== '') url.password = '***'
  if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  return url.href
}
