// Credential parsing: reads passwords and API keys from the headers and the query of a request.
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../errors/api-error.ts'

/** The parts of a request that can carry credentials. */
export interface CredentialRequest {
  /** The raw query string, without its question mark. */
  readonly search: string
  /** One header by its lower-case name. */
  header(name: string): string | undefined
}

export interface PresentedCredential {
  /** The company's name (interface 5.1), or null for an API key. */
  readonly company: string | null
  readonly secret: string
  /** Sent in the query string, which proxies log and browsers keep in their history. */
  readonly viaQuery: boolean
}

/**
 * Returns each credential once, keys before passwords. Throws `DuplicateParameter`, `InvalidEncoding`, and
 * `AmbiguousCredentials` when there are more than two.
 */
export function parseCredentials(request: CredentialRequest): PresentedCredential[] {
  const query = findParameters(request.search)
  const found: PresentedCredential[] = []
  const add = (company: string | null, secret: string | undefined, viaQuery: boolean) => {
    if (secret === undefined || secret === '' || company === '') return
    // The same name can be typed with composed or combining characters.
    const name = company === null || isAscii.test(company) ? company : company.normalize('NFC')
    if (found.some((one) => one.company === name && one.secret === secret)) return
    found.push({ company: name, secret, viaQuery })
  }

  add(null, decodeHeader(request.header('tb-key')), false)
  add(null, decodeHeader(request.header('key')), false)
  const authorization = request.header('authorization')
  if (authorization !== undefined) add(null, valueOfScheme('bearer ', authorization), false)
  add(null, query.key, true)

  if (authorization !== undefined) {
    const pair = parseBasic(authorization)
    if (pair !== null) add(pair.company, pair.password, false)
  }
  const header = {
    company: decodeHeader(request.header('x-firma')),
    password: decodeHeader(request.header('x-passord')),
  }
  // Company and password may be sent in different places: the company in the query, its password in a header.
  if (header.password !== undefined) add(header.company ?? query.firma ?? '', header.password, false)
  if (query.passord !== undefined) add(query.firma ?? header.company ?? '', query.passord, true)

  if (found.length > credentialsMax) throw new ApiError('AmbiguousCredentials')
  return found
}

/** More in one request would let an attacker test several secrets at the cost of one. */
const credentialsMax = 2

interface CredentialParameters {
  firma?: string
  passord?: string
  key?: string
}

/** Finds the three parameters without parsing the rest of the query, because this runs on every request. */
function findParameters(search: string): CredentialParameters {
  const found: CredentialParameters = {}
  let equals = -1
  for (let start = 0; start < search.length;) {
    const amp = search.indexOf('&', start)
    const end = amp === -1 ? search.length : amp
    // Searched once for all parts without one, because a query in a body may be long.
    if (equals < start) equals = search.indexOf('=', start)
    if (equals === -1) return found
    if (equals < end) {
      const name = parseParameterName(search.slice(start, equals))
      if (name !== null) {
        if (found[name] !== undefined) throw new ApiError('DuplicateParameter', { target: name, params: { name } })
        found[name] = decode(search.slice(equals + 1, end)).trim()
      }
    }
    start = end + 1
  }
  return found
}

/** Matches names in any letter case, with surrounding blanks, and percent-encoded. */
function parseParameterName(raw: string): keyof CredentialParameters | null {
  const isPlain = !raw.includes('%') && !raw.includes('+')
  // The length alone rules out nearly every other parameter.
  if (isPlain && raw.length !== 5 && raw.length !== 7 && raw.length !== 3) return null
  const name = (isPlain ? raw : decode(raw).trim()).toLowerCase()
  return name === 'firma' || name === 'passord' || name === 'key' ? name : null
}

/** `+` is a blank. The error does not repeat the invalid text, which may be a secret. */
function decode(raw: string): string {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw new ApiError('InvalidEncoding')
  }
}

function valueOfScheme(scheme: string, authorization: string): string | undefined {
  return authorization.slice(0, scheme.length).toLowerCase() === scheme
    ? decodeHeader(authorization.slice(scheme.length))
    : undefined
}

function parseBasic(authorization: string): { company: string; password: string } | null {
  const encoded = valueOfScheme('basic ', authorization)
  if (encoded === undefined) return null
  const pair = decodeBytes(Buffer.from(encoded, 'base64'))
  const colon = pair.indexOf(':')
  return colon === -1 ? null : { company: pair.slice(0, colon).trim(), password: pair.slice(colon + 1).trim() }
}

/** Node decodes headers as Latin-1; a value that is valid UTF-8 is decoded as UTF-8. */
function decodeHeader(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const trimmed = header.trim()
  return isAscii.test(trimmed) ? trimmed : decodeBytes(Buffer.from(trimmed, 'latin1'))
}

const isAscii = /^[\x20-\x7E]*$/

/** Old clients send Basic credentials in Latin-1. */
function decodeBytes(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
