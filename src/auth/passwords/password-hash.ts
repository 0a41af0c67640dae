// Password hashing: argon2id for chosen passwords, keyed SHA-256 for generated secrets.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** Parameters of argon2id. */
export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
}

export const defaultHashCost: HashCost = { memoryKiB: 19_456, passes: 2 }

/** Hashes a chosen password to a PHC string, after NFC normalization. */
export function hashPassword(password: string, cost: HashCost): Promise<string> {
  return hash(password.normalize('NFC'), {
    memoryCost: cost.memoryKiB,
    timeCost: cost.passes,
    parallelism: 1,
  })
}

export function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, password.normalize('NFC'))
}

/** Whether the hash was made with other parameters and has to be rehashed at the next login. */
export function needsRehash(stored: string, cost: HashCost): boolean {
  return !stored.includes(`$m=${cost.memoryKiB},t=${cost.passes},p=1$`)
}

/** Generated secrets have 190 bits and need no slow hash (ASVS 6.5.2). */
export function hashSecret(secret: string, pepper: Buffer): string {
  return createHmac('sha256', pepper).update(secret).digest('base64url')
}

/** Compares two hashes in constant time. */
export function hashesEqual(one: string, other: string): boolean {
  const left = Buffer.from(one)
  const right = Buffer.from(other)
  return left.length === right.length && timingSafeEqual(left, right)
}
