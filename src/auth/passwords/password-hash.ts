// Password hashing: argon2id for chosen passwords, keyed SHA-256 for generated secrets.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Parameters of argon2id. */
export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
}

export const defaultHashCost: HashCost = { memoryKiB: 19_456, passes: 2 }

/** Hashes a chosen password to a PHC string, after NFC normalization. */
export async function hashPassword(password: string, cost: HashCost): Promise<string> {
  const { hash } = await loadArgon2()
  return hash(password.normalize('NFC'), { memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: 1 })
}

export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  const { verify } = await loadArgon2()
  return verify(stored, password.normalize('NFC'))
}

/** Loaded by the first password, because most servers start for keys alone. */
function loadArgon2() {
  return import('@node-rs/argon2')
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
