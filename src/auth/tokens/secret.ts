// Generated secrets: company passwords and API keys, in letters and digits, and tokens.
import { createHmac, hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Source of random bytes. */
export type Random = (bytes: number) => Buffer

/** A password of 32 letters and digits (190 bits), strong enough for a plain keyed hash. */
export function generatePassword(random: Random): string {
  return base62(32, random)
}

/**
 * Creates a key `dv_live_<id>_<secret>_<checksum>`: 256 bits, and an id that may be logged. Its environment is `live` on a
 * server, `test` in the sandbox.
 */
export function generateKey(environment: 'live' | 'test', random: Random): { id: string; key: string } {
  const id = generateId(random)
  const body = `dv_${environment}_${id}_${base62(43, random)}`
  return { id, key: `${body}_${checksum(body)}` }
}

/** The public id of a credential: 8 letters and digits. */
export function generateId(random: Random): string {
  return base62(8, random)
}

/** The id of a key; null for one with a wrong checksum, which is rejected without a lookup. */
export function keyIdOf(key: string, pepper: Buffer): string | null {
  if (!key.startsWith('dv_')) return foreignKeyId(key, pepper)
  const { body, id = null, sum } = keyPattern.exec(key)?.groups ?? {}
  return body !== undefined && checksum(body) === sum ? id : null
}

/** The id of a key in a foreign format (an imported GUID, `test-key`), derived from the whole key. */
export function foreignKeyId(key: string, pepper: Buffer): string {
  return base62(8, () => createHmac('sha512', pepper).update(`key id ${key}`).digest())
}

/** A token of 256 bits: a single-use secret in a link, a session id or a device secret; stored as a hash. */
export function generateToken(random: Random): string {
  return random(32).toString('base64url')
}

export function hashToken(token: string): string {
  return hash('sha256', token)
}

const keyPattern = /^(?<body>dv_[a-z]+_(?<id>[\dA-Za-z]{8})_[\dA-Za-z]{43})_(?<sum>[\dA-Za-z]{6})$/

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(length: number, random: Random): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 below 256; larger bytes would make some letters more likely.
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  }
  return text
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  while (text.length < 6) {
    text = alphabet.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
