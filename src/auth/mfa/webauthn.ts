// WebAuthn: verifies registrations and assertions (Level 3, 7.1 and 7.2, no attestation; ADR 0041).
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { hashesEqual } from '../passwords/password-hash.ts'
import { ApiError } from '../../errors/api-error.ts'

/** The expected values of one WebAuthn ceremony. */
export interface Ceremony {
  /** Base64url, as all bytes here. */
  readonly challenge: string
  /** `https://tall.example.no`. */
  readonly origin: string
  /** The host name of the origin (the RP ID). */
  readonly site: string
}

/** The registration response of the browser. */
export interface RegistrationResponse {
  readonly id: string
  /** DER, as `getPublicKey()` of the browser returns it. */
  readonly publicKey: string
  readonly clientData: string
  readonly authenticatorData: string
}

/** The assertion response of the browser. */
export interface AssertionResponse {
  readonly id: string
  readonly clientData: string
  readonly authenticatorData: string
  readonly signature: string
}

/** Verifies a registration and returns the signature counter. Throws `InvalidPasskey`. */
export function verifyRegistration(registration: RegistrationResponse, ceremony: Ceremony): number {
  requireClientData(registration.clientData, 'webauthn.create', ceremony)
  const data = decodeBytes(registration.authenticatorData)
  const count = readCounter(data, ceremony.site)
  if ((data.readUInt8(flagsOffset) & flags.holdsKey) === 0 || data.length < idOffset) throw passkeyError()
  const length = data.readUInt16BE(idOffset - 2)
  if (data.subarray(idOffset, idOffset + length).toString('base64url') !== registration.id) throw passkeyError()
  parseKey(registration.publicKey)
  return count
}

/** Verifies an assertion and its signature and returns the signature counter. Throws `InvalidPasskey`. */
export function verifyAssertion(assertion: AssertionResponse, publicKey: string, ceremony: Ceremony): number {
  requireClientData(assertion.clientData, 'webauthn.get', ceremony)
  const data = decodeBytes(assertion.authenticatorData)
  const count = readCounter(data, ceremony.site)
  const hash = createHash('sha256').update(decodeBytes(assertion.clientData)).digest()
  const key = parseKey(publicKey)
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  if (!verify(algorithm, Buffer.concat([data, hash]), key, decodeBytes(assertion.signature))) throw passkeyError()
  return count
}

function requireClientData(text: string, type: string, { challenge, origin }: Ceremony): void {
  const clientData = parseObject(decodeBytes(text).toString('utf8'))
  const isExpected =
    clientData['type'] === type &&
    typeof clientData['challenge'] === 'string' &&
    hashesEqual(clientData['challenge'], challenge) &&
    clientData['origin'] === origin &&
    clientData['crossOrigin'] !== true
  if (!isExpected) throw passkeyError()
}

/** Checks the RP ID hash, user presence and user verification; returns the signature counter. */
function readCounter(data: Buffer, site: string): number {
  if (data.length < counterOffset + 4) throw passkeyError()
  const siteHash = createHash('sha256').update(site).digest()
  const givenFlags = data.readUInt8(flagsOffset)
  const isVerified = (givenFlags & flags.isPresent) !== 0 && (givenFlags & flags.isVerified) !== 0
  if (!data.subarray(0, flagsOffset).equals(siteHash) || !isVerified) throw passkeyError()
  return data.readUInt32BE(counterOffset)
}

/** Accepts only the algorithms that the registration requests. */
function parseKey(publicKey: string): KeyObject {
  try {
    const key = createPublicKey({ key: decodeBytes(publicKey), format: 'der', type: 'spki' })
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    const isStrong =
      key.asymmetricKeyType === 'ed25519' ||
      (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') ||
      (key.asymmetricKeyType === 'rsa' && modulusLength >= 2048)
    if (isStrong) return key
  } catch {
    // Not a key.
  }
  throw passkeyError()
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

function decodeBytes(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function passkeyError(): ApiError {
  return new ApiError('InvalidPasskey')
}

/** Offsets in the authenticator data (WebAuthn, 6.1). */
const flagsOffset = 32
const counterOffset = 33
const idOffset = 55
const flags = { isPresent: 0x01, isVerified: 0x04, holdsKey: 0x40 } as const
