// The second factor of a person: an authenticator app, and recovery codes for when it is gone (ADR 0090).
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

/** What the person's app is told, once. */
export interface Offered {
  /** To be typed. */
  readonly secret: string
  /** To be read from a picture. */
  readonly address: string
}

export class SecondFactor {
  readonly #pepper: Buffer
  readonly #random: Minting['random']
  readonly #seal: Seal

  constructor(minting: Pick<Minting, 'pepper' | 'random'>) {
    this.#pepper = minting.pepper
    this.#random = minting.random
    this.#seal = new Seal(minting, 'second factors')
  }

  /** A new seed, which counts for nothing until a code of it is shown. Throws `StateConflict` where one counts already. */
  async offer(writer: Writer, userId: number, email: string): Promise<Offered> {
    const seed = this.#random(seedBytes)
    const sealedSeed = this.#seal.close(seed.toString('base64'), aboutOf(userId))
    if (!(await offerFactor(writer, { userId, sealedSeed }))) throw new Fault('FactorInPlace')
    const secret = base32(seed)
    return { secret, address: otpauthAddress(email, secret) }
  }

  /** From now on it is asked for; the recovery codes, which are kept nowhere. Throws `WrongCode` and `FactorInPlace`. */
  async confirm(writer: Writer, userId: number, code: string, now: number): Promise<string[]> {
    const factor = await findFactor(writer, userId)
    const lastStep = factor === undefined ? null : stepOf(this.#seedOf(factor), asTyped(code), now)
    if (lastStep === null) throw new Fault('WrongCode', { target: 'code' })
    if (!(await confirmFactor(writer, { userId, confirmedAt: now, lastStep })))
      throw new Fault('FactorInPlace')
    return this.renewCodes(writer, userId)
  }

  /** Ten new recovery codes in place of those that there were. */
  async renewCodes(writer: Writer, userId: number): Promise<string[]> {
    const codes = generateRecoveryCodes(this.#random)
    const hashes = codes.map((code) => hashOfRecoveryCode(userId, code, this.#pepper))
    await replaceRecoveryCodes(writer, userId, hashes)
    return codes
  }

  /** Whether the code is right; a right one is spent by that. */
  async take(store: Store, factor: UserFactorTable, code: string, now: number): Promise<boolean> {
    const { userId } = factor
    if (isRecoveryCode(code)) {
      const codeHash = hashOfRecoveryCode(userId, code, this.#pepper)
      return store.inHouseTransaction((writer) => takeRecoveryCode(writer, { userId, codeHash }))
    }
    const step = stepOf(this.#seedOf(factor), asTyped(code), now)
    return step !== null && store.inHouseTransaction((writer) => takeStep(writer, userId, step))
  }

  #seedOf({ userId, sealedSeed }: UserFactorTable): Buffer {
    const seed = this.#seal.open(sealedSeed, aboutOf(userId))
    if (seed === null) throw new Fault('FactorUnreadable')
    return Buffer.from(seed, 'base64')
  }
}

/** Apps show their codes in two groups. */
function asTyped(code: string): string {
  return code.replaceAll(/\s/g, '')
}

function aboutOf(userId: number): string {
  return `user ${userId}`
}
