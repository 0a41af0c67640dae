// A software authenticator: creates and uses a passkey like a browser.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface Told {
  readonly challenge: string
  readonly site: string
}

/** Deviations from a correct response. */
export interface Odd {
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
    const { publicKey, privateKey } = pairOf(kind)
    this.id = randomBytes(16).toString('base64url')
    this.#publicKey = publicKey
    this.#privateKey = privateKey
  }

  make(told: Told, odd: Odd = {}) {
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id])
    const head = headOf(told, { flags: 0x45, ...odd })
    return {
      id: this.id,
      publicKey: this.#publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
      clientData: clientDataOf('webauthn.create', told, odd).toString('base64url'),
      authenticatorData: Buffer.concat([head, attested]).toString('base64url'),
    }
  }

  use(told: Told, odd: Odd = {}) {
    const count = odd.count ?? ++this.#count
    const clientData = clientDataOf('webauthn.get', told, odd)
    const data = headOf(told, { flags: 0x05, ...odd, count })
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

function pairOf(kind: 'ec' | 'ed25519' | 'rsa') {
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  if (kind === 'ed25519') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function clientDataOf(type: string, told: Told, odd: Odd): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: odd.type ?? type,
      challenge: odd.challenge ?? told.challenge,
      origin: odd.origin ?? `http://${told.site}`,
      crossOrigin: odd.crossOrigin ?? false,
    }),
  )
}

function headOf({ site }: Told, { site: other, flags = 0, count = 0 }: Odd): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags)
  tail.writeUInt32BE(count, 1)
  return Buffer.concat([
    createHash('sha256')
      .update(other ?? site)
      .digest(),
    tail,
  ])
}
