// A software authenticator: creates and uses a passkey like a browser.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface PasskeyOptions {
  readonly challenge: string
  readonly site: string
}

/** Deviations from a correct response. */
export interface PasskeyDeviations {
  readonly type?: string
  readonly origin?: string
  readonly site?: string
  readonly challenge?: string
  readonly flags?: number
  readonly count?: number
  readonly crossOrigin?: boolean
}

export class Authenticator {
  readonly id: string
  readonly #publicKey: KeyObject
  readonly #privateKey: KeyObject
  #count = 0

  constructor(kind: 'ec' | 'ed25519' | 'rsa' = 'ec') {
    const { publicKey, privateKey } = newKeyPair(kind)
    this.id = randomBytes(16).toString('base64url')
    this.#publicKey = publicKey
    this.#privateKey = privateKey
  }

  create(options: PasskeyOptions, deviations: PasskeyDeviations = {}) {
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id])
    const head = authenticatorDataHead(options, { flags: 0x45, ...deviations })
    return {
      id: this.id,
      publicKey: this.#publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
      clientData: clientDataJson('webauthn.create', options, deviations).toString('base64url'),
      authenticatorData: Buffer.concat([head, attested]).toString('base64url'),
    }
  }

  get(options: PasskeyOptions, deviations: PasskeyDeviations = {}) {
    const count = deviations.count ?? ++this.#count
    const clientData = clientDataJson('webauthn.get', options, deviations)
    const data = authenticatorDataHead(options, { flags: 0x05, ...deviations, count })
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    const algorithm = this.#privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
    return {
      id: this.id,
      clientData: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign(algorithm, signed, this.#privateKey).toString('base64url'),
    }
  }
}

function newKeyPair(kind: 'ec' | 'ed25519' | 'rsa') {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (kind === 'ed25519') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function clientDataJson(type: string, options: PasskeyOptions, deviations: PasskeyDeviations): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: deviations.type ?? type,
      challenge: deviations.challenge ?? options.challenge,
      origin: deviations.origin ?? `http://${options.site}`,
      crossOrigin: deviations.crossOrigin ?? false,
    }),
  )
}

function authenticatorDataHead(
  { site }: PasskeyOptions,
  { site: siteOverride, flags = 0, count = 0 }: PasskeyDeviations,
): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags)
  tail.writeUInt32BE(count, 1)
  return Buffer.concat([
    createHash('sha256')
      .update(siteOverride ?? site)
      .digest(),
    tail,
  ])
}
