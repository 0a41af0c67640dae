// Parsers of setting values; each throws a RangeError that says what the value must be.
import { join, resolve } from 'node:path'
import { isLoopbackHost, parseNetworks, type Networks } from '../lib/network.ts'
import { urlsOfServers } from '../lib/postgres-url.ts'

/** What paths and defaults may depend on. */
export interface SettingContext {
  readonly cwd: string
  readonly dataDir: string
  readonly databaseUrl: string
}

export function asText(text: string): string {
  return text
}

/** A parser of whole numbers from `min` to `max`. */
export function parseNumber(min: number, max: number, what = `a number from ${min} to ${max}`) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
    if (value < min || value > max) throw new RangeError(`it must be ${what}`)
    return value
  }
}

/** A parser of one of several words, case-insensitive. */
export function parseOneOf<T extends string>(...words: readonly T[]) {
  return (text: string): T => {
    const found = words.find((one) => one === text.toLowerCase())
    if (found === undefined) throw new RangeError(`it must be one of ${words.join(', ')}`)
    return found
  }
}

/** The same parser, and null if the setting is not set. */
export function optional<T>(parse: (text: string, context: SettingContext) => T) {
  return (text: string, context: SettingContext): T | null => (text === '' ? null : parse(text, context))
}

export function resolvePath(text: string, { cwd }: SettingContext): string {
  return resolve(cwd, text)
}

/** Absolute path of the export journal's folder; null for none. */
export function parseExportJournal(text: string, { cwd, dataDir, databaseUrl }: SettingContext): string | null {
  if (text !== '') return resolve(cwd, text)
  return databaseUrl.startsWith('sqlite:') ? resolve(dataDir, 'export-journal') : null
}

/** `sqlite:` with an absolute path, or `postgres://…`, which may name several servers. */
export function parseDatabaseUrl(text: string, { cwd, dataDir }: SettingContext): string {
  if (text === '') return `sqlite:${join(dataDir, 'dagsverk.db')}`
  if (isPostgresUrl(text)) return text
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/.exec(text)?.groups?.path
  if (path === undefined || path.startsWith(':'))
    throw new RangeError(
      'it must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE, where HOST may be HOST:PORT,HOST:PORT',
    )
  return `sqlite:${resolve(cwd, path)}`
}

function isPostgresUrl(text: string): boolean {
  const urls = /^postgres(ql)?:\/\//.test(text) ? urlsOfServers(text) : []
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url))) return false
  const parsed = urls.map((url) => new URL(url))
  const wanted = parsed[0]?.searchParams.get('target_session_attrs') ?? 'primary'
  if (wanted !== 'primary' && wanted !== 'read-write')
    throw new RangeError('target_session_attrs must be read-write or primary')
  return parsed.length === 1 || parsed.every(({ hostname }) => hostname !== '')
}

/** Without a trailing slash; '' if not set. */
export function parsePublicUrl(text: string): string {
  if (text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username !== '')
    throw new RangeError('it must be a URL like https://tall.example.no')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** '' if not set. */
export function parseSmtpUrl(text: string): string {
  if (text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : null
  const isUsable = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
  if (!isUsable || !['', '/'].includes(url.pathname) || url.search + url.hash !== '')
    throw new RangeError('it must be smtp://USER:PASSWORD@HOST:PORT, or smtps://… for implicit TLS')
  return text
}

/** `Name <address>` or an address; '' if not set. */
export function parseSender(text: string): string {
  if (text === '' || /^(?:[^<>@\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text)) return text
  throw new RangeError('it must be an e-mail address like dagsverk@example.no or Dagsverk <dagsverk@example.no>')
}

/** Separated by commas or whitespace. */
function parseList(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '')
}

/** As in the header `Host`: in lower case, other letters than ASCII as `xn--…`. */
export function parseHosts(text: string): readonly string[] {
  return parseList(text).map((one) => {
    const url = URL.parse(`http://${one}`)
    if (url?.href !== `http://${url?.hostname}/` || /\*|:\d*$/.test(one))
      throw new RangeError(`"${one}" is not a host name like tall.example.no, without scheme, port and path`)
    return url.hostname
  })
}

export function parseNetworkList(text: string): Networks {
  return parseNetworks(parseList(text))
}

/** Origins as browsers send them, or `*` alone. */
export function parseOrigins(text: string): readonly string[] {
  const origins = parseList(text.toLowerCase())
  const isOrigin = (one: string) => /^https?:/.test(one) && URL.parse(one)?.origin === one
  if (!(origins.length === 1 && origins[0] === '*') && !origins.every(isOrigin))
    throw new RangeError('it must be origins like https://app.example.no, or * alone')
  return origins
}

/** Separated by commas or line breaks, for items that may contain spaces. */
export function parseLines(text: string): readonly string[] {
  return text
    .split(/[,\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Unchanged, because issuers are compared exactly; '' if not set. */
export function parseIssuer(text: string): string {
  if (text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) || url.search + url.hash !== '')
    throw new RangeError('it must be the issuer exactly as the provider publishes it, like https://login.example.no')
  return text
}

/** Requests per minute; null for `off`. */
export function parseRate(text: string): number | null {
  return text.toLowerCase() === 'off' ? null : parseRequestsPerMinute(text)
}

const parseRequestsPerMinute = parseNumber(1, 999_999_999, 'a number of requests per minute, or off')
