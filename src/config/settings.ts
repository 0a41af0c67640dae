// Settings of the server: types, help texts, defaults, flag and variable names, and masking.
import type { Networks } from '../lib/network.ts'
import { editUrl } from '../lib/postgres-url.ts'

export interface Config {
  readonly port: number
  readonly host: string
  /** Absolute path. */
  readonly dataDir: string
  /** `sqlite:` with an absolute path, or `postgres://…`, which may name several servers. */
  readonly databaseUrl: string
  /** How long a server waits for PostgreSQL before it ends. */
  readonly databaseWaitSeconds: number
  /** Without a trailing slash; '' if not set. */
  readonly publicUrl: string
  /** Absolute path of the export journal's folder; null for none. */
  readonly exportJournal: string | null
  /** Absolute path of the file that audit anchors are appended to; null for none. */
  readonly auditAnchors: string | null
  readonly allowedHosts: readonly string[]
  /** Origins whose pages may call the API, or `*` alone; empty for none. */
  readonly corsOrigins: readonly string[]
  readonly trustProxy: Networks
  /** Whether every client comes through a proxy, so that none is on this machine. */
  readonly behindProxy: OnOff
  readonly allowHttp: Networks
  /** Requests per minute; null for no limit. */
  readonly rateLimit: number | null
  /** Open connections for each network on which no caller was authenticated yet. */
  readonly unauthenticatedConnections: number
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
  readonly description: string
  /** The default value; '' for not set. */
  readonly default: string
  /** Masked in output, not accepted as a command argument, and also read from the file that `…_FILE` names. */
  readonly isSecret?: true
  /** Read at each use, so that a reload on SIGHUP changes it without a restart. */
  readonly isReloadable?: true
}

/**
 * All settings. Flag, variable and config file member follow from the name:
 * `--data-dir`, `DAGSVERK_DATA_DIR`, `"dataDir"`.
 */
export const settings: Readonly<Record<SettingName, Setting>> = {
  port: { description: 'port to listen on; 0 selects a free port', default: '8080' },
  host: { description: 'address to listen on', default: '127.0.0.1' },
  dataDir: { description: 'folder of the database and the master key', default: './data' },
  databaseUrl: {
    description: 'sqlite:PATH or postgres://…; default: dagsverk.db in the data folder',
    default: '',
    isSecret: true,
  },
  databaseWaitSeconds: { description: 'seconds that a server waits for PostgreSQL before it ends', default: '60' },
  publicUrl: { description: 'public URL of the server, like https://tall.example.no', default: '' },
  exportJournal: {
    description: 'folder of the export journal; default: in the data folder with SQLite, none with PostgreSQL',
    default: '',
  },
  auditAnchors: {
    description: 'file, outside of this machine, that gets the audit anchors daily; default: none',
    default: '',
  },
  allowedHosts: { description: 'additional host names of the server', default: '', isReloadable: true },
  corsOrigins: {
    description: 'origins of other sites whose pages may call the API, or * for all (CORS)',
    default: '',
    isReloadable: true,
  },
  trustProxy: {
    description: 'IP addresses of proxies whose X-Forwarded headers are trusted',
    default: '',
    isReloadable: true,
  },
  behindProxy: {
    description: 'all clients come through a proxy, so none counts as this machine: on or off',
    default: 'off',
    isReloadable: true,
  },
  allowHttp: {
    description: 'networks from which plain HTTP is accepted, in addition to this machine',
    default: '',
    isReloadable: true,
  },
  rateLimit: { description: 'requests per minute and credential, or off', default: '6000', isReloadable: true },
  unauthenticatedConnections: {
    description: 'open connections per network without an authenticated request',
    default: '200',
  },
  logLevel: { description: 'minimum log level', default: 'info', isReloadable: true },
  metricsPort: { description: 'local port for Prometheus metrics; default: none', default: '' },
  queryCredentials: {
    description: 'credentials in the query string: allow or deny',
    default: 'allow',
    isReloadable: true,
  },
  workers: { description: 'number of server processes (PostgreSQL only)', default: '1' },
  smtpUrl: {
    description: 'mail server: smtp://USER:PASSWORD@HOST:PORT or smtps://…; default: no e-mail is sent',
    default: '',
    isSecret: true,
  },
  mailFrom: { description: 'sender of e-mail, like Dagsverk <dagsverk@example.no>', default: '' },
  webhookNetworks: { description: 'private networks that webhooks may call, also without TLS', default: '' },
  masterKey: { description: 'the master key, 32 bytes in base64', default: '', isSecret: true },
  oidcIssuer: { description: 'OpenID Connect issuer of the identity provider', default: '' },
  oidcClientId: { description: 'OpenID Connect client id of this server', default: '' },
  oidcClientSecret: { description: 'OpenID Connect client secret', default: '', isSecret: true },
  oidcName: { description: 'name of the identity provider on the sign-in page', default: 'SSO' },
  oidcScopes: { description: 'OpenID Connect scopes to request', default: 'openid email profile' },
  oidcGroupsClaim: { description: 'claim that lists the groups of a user', default: 'groups' },
  oidcRoles: { description: 'roles by group: GROUP=COMPANY:ROLE, separated by commas', default: '' },
  oidcHosts: { description: 'additional hosts of the identity provider', default: '' },
}

/** In the order of the table. */
export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

type LogLevel = (typeof logLevels)[number]

export const queryCredentials = ['allow', 'deny'] as const

type QueryCredentials = (typeof queryCredentials)[number]

export const onOff = ['on', 'off'] as const

type OnOff = (typeof onOff)[number]

/** `dataDir` is `--data-dir` on the command line, and `DAGSVERK_DATA_DIR` in the environment. */
export function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export function variableName(name: string): string {
  return `${variablePrefix}${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

/** The prefix of all environment variables. */
export const variablePrefix = 'DAGSVERK_'

/** The value for display, with secrets masked. */
export function displayValue(name: SettingName, config: Config): string {
  if (name === 'databaseUrl' || name === 'smtpUrl') return withoutPassword(config[name])
  if (name === 'masterKey' || name === 'oidcClientSecret') return config[name] === '' ? '' : '***'
  const value = config[name]
  if (value === null) return name === 'metricsPort' ? '' : 'off'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return ('names' in value ? value.names : value).join(',')
}

/** The value for a support bundle, which must not name companies: only the number of group roles. */
export function displayValueForSupport(name: SettingName, config: Config): string {
  return name === 'oidcRoles' ? String(config.oidcRoles.length) : displayValue(name, config)
}

/** A URL with its password masked. */
export function withoutPassword(address: string): string {
  if (address === '' || address.startsWith('sqlite:')) return address
  return editUrl(address, (url) => {
    if (url.password !== '') url.password = '***'
    if (url.searchParams.has('password')) url.searchParams.set('password', '***')
  })
}
