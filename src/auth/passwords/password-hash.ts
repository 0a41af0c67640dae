// How secrets are kept: chosen passwords under argon2id, generated ones under a keyed SHA-256.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** What one argon2id hash costs whoever guesses, and us. */
export interface HashCost {
  readonly memoryKiB: number
  readonly passes: number
}

export const standardCost: HashCost = { memoryKiB: 19_456, passes: 2 }

/** A chosen password as a PHC string. Forms of one letter that look alike are one password. */
export function hashChosen(password: string, cost: HashCost): Promise<string> {
  return hash(password.normalize('NFC'), {
    memoryCost: cost.memoryKiB,
    timeCost: cost.passes,
    parallelism: 1,
  })
}

export function isChosen(stored: string, password: string): Promise<boolean> {
  return verify(stored, password.normalize('NFC'))
}

/** Whether the hash was made at another cost than today's, so that it is made anew when it is next right. */
export function isOutdated(stored: string, cost: HashCost): boolean {
  return !stored.includes(`$m=${cost.memoryKiB},t=${cost.passes},p=1$`)
}

/** A generated secret needs no costly hash (ASVS 6.5.2): nobody tries 190 bits. */
export function hashGenerated(secret: string, pepper: Buffer): string {
  return createHmac('sha256', pepper).update(secret).digest('base64url')
}

/** Compares two hashes without telling by its time how much of them agrees. */
export function isSameHash(one: string, other: string): boolean {
  const left = Buffer.from(one)
  const right = Buffer.from(other)
  return left.length === right.length && timingSafeEqual(left, right)
}
