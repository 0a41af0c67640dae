// Parsers of setting values; each throws a RangeError that says what the value must be.

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535) throw new RangeError('it must be a number from 0 to 65535')
  return port
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
export function parseList(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== '')
}

/** Origins as browsers send them, or `*` alone. */
export function parseOrigins(text: string): string[] {
  const origins = parseList(text.toLowerCase())
  const isOrigin = (one: string) => /^https?:/.test(one) && URL.parse(one)?.origin === one
  if (!(origins.length === 1 && origins[0] === '*') && !origins.every(isOrigin))
    throw new RangeError('it must be origins like https://app.example.no, or * alone')
  return origins
}

/** Separated by commas or line breaks, for items that may contain spaces. */
export function parseLines(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Unchanged, because issuers are compared exactly; '' if not set. */
export function parseIssuer(text: string): string {
  if (text === '') return ''
  const url = URL.canParse(text) ? new URL(text) : null
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url?.hostname ?? '')
  if (url === null || (url.protocol !== 'https:' && !isHere) || url.search + url.hash !== '')
    throw new RangeError('it must be the issuer exactly as the provider publishes it, like https://login.example.no')
  return text
}

/** Null for `off`. */
export function parseRate(text: string): number | null {
  if (text.toLowerCase() === 'off') return null
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new RangeError('it must be a number of requests per minute, or off')
  return Number(text)
}

export function parseConnections(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError('it must be a number from 1 to 999999')
  return Number(text)
}

export function parseSeconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new RangeError('it must be a number of seconds')
  return Number(text)
}

export function parseWorkers(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new RangeError('it must be a number from 1 to 99')
  return Number(text)
}

/** One of several values, case-insensitive. */
export function parseOneOf<T extends string>(words: readonly T[], text: string): T {
  const found = words.find((one) => one === text.toLowerCase())
  if (found === undefined) throw new RangeError(`it must be one of ${words.join(', ')}`)
  return found
}
