// Second factor: TOTP enrolment and verification, with recovery codes (ADR 0041).
import { generateRecoveryCodes, hashRecoveryCode, isRecoveryCode } from './recovery-codes.ts'
import { base32, otpauthUrl, seedBytes, findStep } from './totp.ts'
import type { CryptoContext } from '../tokens/credential-factory.ts'
import { Encryptor } from '../tokens/encryptor.ts'
import { ApiError } from '../../errors/api-error.ts'
import {
  confirmFactor,
  findFactor,
  saveUnconfirmedFactor,
  replaceRecoveryCodes,
  consumeRecoveryCode,
  consumeTotpStep,
} from '../../store/accounts/second-factors.ts'
import type { Store, Writer } from '../../store/store.ts'
import type { UserFactorTable } from '../../store/tables/accounts.ts'

/** A new TOTP seed, shown once. */
export interface EnrolmentSecret {
  /** For typing: base32. */
  readonly secret: string
  /** For the QR code: an otpauth URL. */
  readonly otpauthUrl: string
}

export class SecondFactor {
  readonly #pepper: Buffer
  readonly #random: CryptoContext['random']
  readonly #encryptor: Encryptor

  constructor(cryptoContext: Pick<CryptoContext, 'pepper' | 'random'>) {
    this.#pepper = cryptoContext.pepper
    this.#random = cryptoContext.random
    this.#encryptor = new Encryptor(cryptoContext, 'second factors')
  }

  /** Stores a new seed, which is inactive until it is confirmed. Throws `SecondFactorAlreadyEnabled`. */
  async enroll(writer: Writer, userId: number, email: string): Promise<EnrolmentSecret> {
    const seed = this.#random(seedBytes)
    const encryptedSeed = this.#encryptor.encrypt(seed.toString('base64'), encryptionContext(userId))
    if (!(await saveUnconfirmedFactor(writer, { userId, encryptedSeed })))
      throw new ApiError('SecondFactorAlreadyEnabled')
    const secret = base32(seed)
    return { secret, otpauthUrl: otpauthUrl(email, secret) }
  }

  /** Activates the second factor; returns the recovery codes in plain text. Throws `InvalidSecondFactorCode` and `SecondFactorAlreadyEnabled`. */
  async confirm(writer: Writer, userId: number, code: string, now: number): Promise<string[]> {
    const factor = await findFactor(writer, { userId })
    const lastStep = factor === undefined ? null : findStep(this.#decryptSeed(factor), stripBlanks(code), now)
    if (lastStep === null) throw new ApiError('InvalidSecondFactorCode', { target: 'code' })
    if (!(await confirmFactor(writer, { userId, confirmedAt: now, lastStep })))
      throw new ApiError('SecondFactorAlreadyEnabled')
    return this.renewCodes(writer, userId)
  }

  /** Replaces the recovery codes by ten new ones. */
  async renewCodes(writer: Writer, userId: number): Promise<string[]> {
    const codes = generateRecoveryCodes(this.#random)
    const hashes = codes.map((code) => hashRecoveryCode(userId, code, this.#pepper))
    await replaceRecoveryCodes(writer, userId, hashes)
    return codes
  }

  /** Verifies a code and marks it as used. */
  async verify(store: Store, factor: UserFactorTable, code: string, now: number): Promise<boolean> {
    const { userId } = factor
    if (isRecoveryCode(code)) {
      const codeHash = hashRecoveryCode(userId, code, this.#pepper)
      return store.inSystemTransaction((writer) => consumeRecoveryCode(writer, { userId, codeHash }))
    }
    const step = findStep(this.#decryptSeed(factor), stripBlanks(code), now)
    return step !== null && store.inSystemTransaction((writer) => consumeTotpStep(writer, { userId, lastStep: step }))
  }

  #decryptSeed({ userId, encryptedSeed }: UserFactorTable): Buffer {
    const seed = this.#encryptor.decrypt(encryptedSeed, encryptionContext(userId))
    if (seed === null) throw new ApiError('SecondFactorUndecryptable')
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
