// A request → the credentials it presents, wherever it put them.
import { isUtf8 } from 'node:buffer'
import { Fault } from '../../errors/catalog.ts'

/** What is looked at of a request. */
export interface Asking {
  /** The raw query string, without its question mark. */
  readonly search: string
  /** One header by its lower-case name. */
  header(name: string): string | undefined
}

export interface Presented {
  /** A company's name (interface 5.1), or null beside an API key. */
  readonly company: string | null
  readonly secret: string
  /** In the address, where proxies and histories keep it. */
  readonly viaQuery: boolean
}

/**
 * Each credential once, keys before passwords. Throws `DuplicateParameter`, `InvalidEncoding`, and
 * `AmbiguousCredentials` for more of them than any client has a use for.
 */
export function credentialsIn(request: Asking): Presented[] {
  const query = credentialParameters(request.search)
  const found: Presented[] = []
  const add = (company: string | null, secret: string | undefined, viaQuery: boolean) => {
    if (secret === undefined || secret === '' || company === '') return
    // A name typed with a combining ring is the same name.
    const name = company?.normalize('NFC') ?? null
    if (found.some((one) => one.company === name && one.secret === secret)) return
    found.push({ company: name, secret, viaQuery })
  }

  add(null, text(request.header('tb-key')), false)
  add(null, text(request.header('key')), false)
  const authorization = request.header('authorization')
  if (authorization !== undefined) add(null, after('bearer ', authorization), false)
  add(null, query.key, true)

  if (authorization !== undefined) {
    const pair = basicPair(authorization)
    if (pair !== null) add(pair.company, pair.password, false)
  }
  const header = {
    company: text(request.header('x-firma')),
    password: text(request.header('x-passord')),
  }
  // The halves of a pair may come apart: the company in the address, its password in a header.
  if (header.password !== undefined)
    add(header.company ?? query.firma ?? '', header.password, false)
  if (query.passord !== undefined) add(query.firma ?? header.company ?? '', query.passord, true)

  if (found.length > presentedMax) throw new Fault('AmbiguousCredentials')
  return found
}

/** A request that presents more is guessing several secrets at the price of one. */
const presentedMax = 2

interface Parameters {
  firma?: string
  passord?: string
  key?: string
}

/** Finds the three parameters without taking the rest of the query apart: every call pays for this. */
function credentialParameters(search: string): Parameters {
  const found: Parameters = {}
  for (let start = 0; start < search.length;) {
    const amp = search.indexOf('&', start)
    const end = amp === -1 ? search.length : amp
    const equals = search.indexOf('=', start)
    if (equals !== -1 && equals < end) {
      const name = parameterName(search.slice(start, equals))
      if (name !== null) {
        if (found[name] !== undefined)
          throw new Fault('DuplicateParameter', { target: name, says: { name } })
        found[name] = decode(search.slice(equals + 1, end)).trim()
      }
    }
    start = end + 1
  }
  return found
}

/** A name may stand in any letter case, with blanks around it and percent-encoded. */
function parameterName(raw: string): keyof Parameters | null {
  const isPlain = !raw.includes('%') && !raw.includes('+')
  // Nearly every other parameter is told apart by its length alone.
  if (isPlain && raw.length !== 5 && raw.length !== 7 && raw.length !== 3) return null
  const name = (isPlain ? raw : decode(raw).trim()).toLowerCase()
  return name === 'firma' || name === 'passord' || name === 'key' ? name : null
}

/** `+` is a blank. The faulty text is not repeated: it may be a secret. */
function decode(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw new Fault('InvalidEncoding')
  }
}

function after(scheme: string, authorization: string): string | undefined {
  return authorization.slice(0, scheme.length).toLowerCase() === scheme
    ? text(authorization.slice(scheme.length))
    : undefined
}

function basicPair(authorization: string): { company: string; password: string } | null {
  const encoded = after('basic ', authorization)
  if (encoded === undefined) return null
  const pair = bytesToText(Buffer.from(encoded, 'base64'))
  const colon = pair.indexOf(':')
  return colon === -1
    ? null
    : { company: pair.slice(0, colon).trim(), password: pair.slice(colon + 1).trim() }
}

/** A header arrives as one character per byte; what was written in UTF-8 is read as that. */
function text(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const trimmed = header.trim()
  return isAscii.test(trimmed) ? trimmed : bytesToText(Buffer.from(trimmed, 'latin1'))
}

const isAscii = /^[\x20-\x7E]*$/

/** Old clients write Basic in Latin-1. */
function bytesToText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
