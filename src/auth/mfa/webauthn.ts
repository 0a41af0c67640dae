// What a passkey says, and whether it is true (WebAuthn Level 3, 7.1 and 7.2, without attestation; ADR 0094).
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { isSameHash } from '../passwords/password-hash.ts'
import { Fault } from '../../errors/catalog.ts'

/** What the page was told, and where it stands. */
export interface Ceremony {
  /** Base64url, as all bytes here. */
  readonly challenge: string
  /** `https://tall.example.no`. */
  readonly origin: string
  /** The host name in it. */
  readonly site: string
}

/** What the browser says of a new passkey. */
export interface MadePasskey {
  readonly id: string
  /** DER, as the browser takes it out of the authenticator's own form. */
  readonly publicKey: string
  readonly clientData: string
  readonly authenticatorData: string
}

/** What the browser says of one that was used. */
export interface UsedPasskey {
  readonly id: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly signature: string
}

/** How often the new passkey was used, which some count. Throws `PasskeyRefused`. */
export function countOfMade(made: MadePasskey, ceremony: Ceremony): number {
  requireClientData(made.clientData, 'webauthn.create', ceremony)
  const data = bytesOf(made.authenticatorData)
  const count = countIn(data, ceremony.site)
  if ((data.readUInt8(flagsAt) & flags.holdsKey) === 0 || data.length < idAt) throw refused()
  const length = data.readUInt16BE(idAt - 2)
  if (data.subarray(idAt, idAt + length).toString('base64url') !== made.id) throw refused()
  keyOf(made.publicKey)
  return count
}

/** The same of one that was used, and signed by it. Throws `PasskeyRefused`. */
export function countOfUsed(used: UsedPasskey, publicKey: string, ceremony: Ceremony): number {
  requireClientData(used.clientData, 'webauthn.get', ceremony)
  const data = bytesOf(used.authenticatorData)
  const count = countIn(data, ceremony.site)
  const hash = createHash('sha256').update(bytesOf(used.clientData)).digest()
  const key = keyOf(publicKey)
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  if (!verify(algorithm, Buffer.concat([data, hash]), key, bytesOf(used.signature))) throw refused()
  return count
}

function requireClientData(text: string, type: string, { challenge, origin }: Ceremony): void {
  const said = objectIn(bytesOf(text).toString('utf8'))
  const isSaid =
    said['type'] === type &&
    typeof said['challenge'] === 'string' &&
    isSameHash(said['challenge'], challenge) &&
    said['origin'] === origin &&
    said['crossOrigin'] !== true
  if (!isSaid) throw refused()
}

/** For this site, with somebody there whom the authenticator knows. */
function countIn(data: Buffer, site: string): number {
  if (data.length < countAt + 4) throw refused()
  const ofSite = createHash('sha256').update(site).digest()
  const given = data.readUInt8(flagsAt)
  const isProven = (given & flags.isPresent) !== 0 && (given & flags.isVerified) !== 0
  if (!data.subarray(0, flagsAt).equals(ofSite) || !isProven) throw refused()
  return data.readUInt32BE(countAt)
}

/** Of the kinds that were asked for. */
function keyOf(publicKey: string): KeyObject {
  try {
    const key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    const isStrong =
      key.asymmetricKeyType === 'ed25519' ||
      (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') ||
      (key.asymmetricKeyType === 'rsa' && modulusLength >= 2048)
    if (isStrong) return key
  } catch {
    // No key at all.
  }
  throw refused()
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function refused(): Fault {
  return new Fault('PasskeyRefused')
}

/** Where things stand in what an authenticator says (WebAuthn, 6.1). */
const flagsAt = 32
const countAt = 33
const idAt = 55
const flags = { isPresent: 0x01, isVerified: 0x04, holdsKey: 0x40 } as const
