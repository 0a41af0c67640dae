// Settings of the server: parsers, help texts, defaults, flag and variable names, and masking.
import { editUrl } from '../lib/postgres-url.ts'
import {
  asText,
  optional,
  parseDatabaseUrl,
  parseExportJournal,
  parseHosts,
  parseIssuer,
  parseLines,
  parseNetworkList,
  parseNumber,
  parseOneOf,
  parseOrigins,
  parsePublicUrl,
  parseRate,
  parseSender,
  parseSmtpUrl,
  resolvePath,
  type SettingContext,
} from './parsers.ts'

export interface Setting<Value = unknown> {
  readonly description: string
  /** The default value; left out for not set. */
  readonly default?: string
  /** Throws a RangeError that says what the value must be. */
  readonly parse: (text: string, context: SettingContext) => Value
  /** Masked in output, not accepted as a command argument, and also read from the file that `…_FILE` names. */
  readonly isSecret?: true
  /** Read at each use, so that a reload on SIGHUP changes it without a restart. */
  readonly isReloadable?: true
}

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/**
 * All settings. Flag, variable and config file member follow from the name:
 * `--data-dir`, `DAGSVERK_DATA_DIR`, `"dataDir"`; the member of `Config` has the type that the parser returns.
 */
const definitions = {
  port: { description: 'port to listen on; 0 selects a free port', default: '8080', parse: parseNumber(0, 65_535) },
  host: { description: 'address to listen on', default: '127.0.0.1', parse: asText },
  dataDir: { description: 'folder of the database and the master key', default: './data', parse: resolvePath },
  databaseUrl: {
    description: 'sqlite:PATH or postgres://…; default: dagsverk.db in the data folder',
    isSecret: true,
    parse: parseDatabaseUrl,
  },
  databaseWaitSeconds: {
    description: 'seconds that a server waits for PostgreSQL before it ends',
    default: '60',
    parse: parseNumber(0, 99_999, 'a number of seconds'),
  },
  publicUrl: { description: 'public URL of the server, like https://tall.example.no', parse: parsePublicUrl },
  exportJournal: {
    description: 'folder of the export journal; default: in the data folder with SQLite, none with PostgreSQL',
    parse: parseExportJournal,
  },
  auditAnchors: {
    description: 'file, outside of this machine, that gets the audit anchors daily; default: none',
    parse: optional(resolvePath),
  },
  allowedHosts: { description: 'additional host names of the server', isReloadable: true, parse: parseHosts },
  corsOrigins: {
    description: 'origins of other sites whose pages may call the API, or * for all (CORS)',
    isReloadable: true,
    parse: parseOrigins,
  },
  trustProxy: {
    description: 'IP addresses of proxies whose X-Forwarded headers are trusted',
    isReloadable: true,
    parse: parseNetworkList,
  },
  behindProxy: {
    description: 'all clients come through a proxy, so none counts as this machine: on or off',
    default: 'off',
    isReloadable: true,
    parse: parseOneOf('on', 'off'),
  },
  allowHttp: {
    description: 'networks from which plain HTTP is accepted, in addition to this machine',
    isReloadable: true,
    parse: parseNetworkList,
  },
  rateLimit: {
    description: 'requests per minute and credential, or off',
    default: '6000',
    isReloadable: true,
    parse: parseRate,
  },
  unauthenticatedConnections: {
    description: 'open connections per network without an authenticated request',
    default: '200',
    parse: parseNumber(1, 999_999),
  },
  logLevel: { description: 'minimum log level', default: 'info', isReloadable: true, parse: parseOneOf(...logLevels) },
  metricsPort: {
    description: 'local port for Prometheus metrics; default: none',
    parse: optional(parseNumber(0, 65_535)),
  },
  queryCredentials: {
    description: 'credentials in the query string: allow or deny',
    default: 'allow',
    isReloadable: true,
    parse: parseOneOf('allow', 'deny'),
  },
  workers: { description: 'number of server processes (PostgreSQL only)', default: '1', parse: parseNumber(1, 99) },
  smtpUrl: {
    description: 'mail server: smtp://USER:PASSWORD@HOST:PORT or smtps://…; default: no e-mail is sent',
    isSecret: true,
    parse: parseSmtpUrl,
  },
  mailFrom: { description: 'sender of e-mail, like Dagsverk <dagsverk@example.no>', parse: parseSender },
  webhookNetworks: {
    description: 'private networks that webhooks may call, also without TLS',
    parse: parseNetworkList,
  },
  masterKey: { description: 'the master key, 32 bytes in base64', isSecret: true, parse: asText },
  oidcIssuer: { description: 'OpenID Connect issuer of the identity provider', parse: parseIssuer },
  oidcClientId: { description: 'OpenID Connect client id of this server', parse: asText },
  oidcClientSecret: { description: 'OpenID Connect client secret', isSecret: true, parse: asText },
  oidcName: { description: 'name of the identity provider on the sign-in page', default: 'SSO', parse: asText },
  oidcScopes: { description: 'OpenID Connect scopes to request', default: 'openid email profile', parse: asText },
  oidcGroupsClaim: { description: 'claim that lists the groups of a user', default: 'groups', parse: asText },
  oidcRoles: { description: 'roles by group: GROUP=COMPANY:ROLE, separated by commas', parse: parseLines },
  oidcHosts: { description: 'additional hosts of the identity provider', parse: parseHosts },
} satisfies Record<string, Setting>

type Definitions = typeof definitions

export type SettingName = keyof Definitions

export type Config = { readonly [Name in SettingName]: ReturnType<Definitions[Name]['parse']> }

export const settings: { readonly [Name in SettingName]: Setting<Config[Name]> } = definitions

/** In the order of the table. */
export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings)

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
