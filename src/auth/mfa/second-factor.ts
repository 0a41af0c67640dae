// Second factor: TOTP enrolment and verification, with recovery codes (ADR 0090).
import { generateRecoveryCodes, hashOfRecoveryCode, isRecoveryCode } from './recovery-codes.ts'
import { base32, otpauthAddress, seedBytes, stepOf } from './totp.ts'
import type { Minting } from '../tokens/credential-factory.ts'
import { Seal } from '../tokens/encryptor.ts'
import { Fault } from '../../errors/catalog.ts'
import {
  confirmFactor,
  findFactor,
  offerFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from '../../store/accounts/second-factors.ts'
import type { Store, Writer } from '../../store/store.ts'
import type { UserFactorTable } from '../../store/tables/accounts.ts'

/** A new TOTP seed, shown once. */
export interface Offered {
  /** For typing: base32. */
  readonly secret: string
  /** For the QR code: an otpauth URL. */
  readonly address: string
}

export class SecondFactor {
  readonly #pepper: Buffer
  readonly #random: Minting['random']
  readonly #encryptor: Seal

  constructor(minting: Pick<Minting, 'pepper' | 'random'>) {
    this.#pepper = minting.pepper
    this.#random = minting.random
    this.#encryptor = new Seal(minting, 'second factors')
  }

  /** Stores a new seed, which is inactive until it is confirmed. Throws `SecondFactorAlreadyEnabled`. */
  async offer(writer: Writer, userId: number, email: string): Promise<Offered> {
    const seed = this.#random(seedBytes)
    const sealedSeed = this.#encryptor.close(seed.toString('base64'), encryptionContext(userId))
    if (!(await offerFactor(writer, { userId, sealedSeed }))) throw new Fault('FactorInPlace')
    const secret = base32(seed)
    return { secret, address: otpauthAddress(email, secret) }
  }

  /** Activates the second factor; returns the recovery codes in plain text. Throws `WrongCode` and `SecondFactorAlreadyEnabled`. */
  async confirm(writer: Writer, userId: number, code: string, now: number): Promise<string[]> {
    const factor = await findFactor(writer, userId)
    const lastStep =
      factor === undefined ? null : stepOf(this.#decryptSeed(factor), stripBlanks(code), now)
    if (lastStep === null) throw new Fault('WrongCode', { target: 'code' })
    if (!(await confirmFactor(writer, { userId, confirmedAt: now, lastStep })))
      throw new Fault('FactorInPlace')
    return this.renewCodes(writer, userId)
  }

  /** Replaces the recovery codes by ten new ones. */
  async renewCodes(writer: Writer, userId: number): Promise<string[]> {
    const codes = generateRecoveryCodes(this.#random)
    const hashes = codes.map((code) => hashOfRecoveryCode(userId, code, this.#pepper))
    await replaceRecoveryCodes(writer, userId, hashes)
    return codes
  }

  /** Verifies a code and marks it as used. */
  async take(store: Store, factor: UserFactorTable, code: string, now: number): Promise<boolean> {
    const { userId } = factor
    if (isRecoveryCode(code)) {
      const codeHash = hashOfRecoveryCode(userId, code, this.#pepper)
      return store.inHouseTransaction((writer) => takeRecoveryCode(writer, { userId, codeHash }))
    }
    const step = stepOf(this.#decryptSeed(factor), stripBlanks(code), now)
    return step !== null && store.inHouseTransaction((writer) => takeStep(writer, userId, step))
  }

  #decryptSeed({ userId, sealedSeed }: UserFactorTable): Buffer {
    const seed = this.#encryptor.open(sealedSeed, encryptionContext(userId))
    if (seed === null) throw new Fault('FactorUnreadable')
    return Buffer.from(seed, 'base64')
  }
}

/** Authenticator apps show codes in two groups. */
function stripBlanks(code: string): string {
  return code.replaceAll(/\s/g, '')
}

function encryptionContext(userId: number): string {
  return `user ${userId}`
}
