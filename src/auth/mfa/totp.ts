// Codes of an authenticator app: six digits that change every 30 seconds (RFC 6238, with the choices that every app makes).
import { createHmac } from 'node:crypto'
import { isSameHash } from '../passwords/password-hash.ts'

/** What an app and the house both know; as long as the hash (RFC 4226, 4). */
export const seedBytes = 20

/** Microseconds. */
const stepLength = 30_000_000

/** The step whose code this is, of the present one and its two neighbours; null where it is none of them. */
export function stepOf(seed: Buffer, code: string, now: number): number | null {
  const present = Math.floor(now / stepLength)
  const steps = [present - 1, present, present + 1]
  return steps.find((step) => isSameHash(codeOf(seed, step), code)) ?? null
}

/** The code of a moment in microseconds. */
export function codeAt(seed: Buffer, now: number): string {
  return codeOf(seed, Math.floor(now / stepLength))
}

function codeOf(seed: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', seed).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const digits = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000
  return String(digits).padStart(6, '0')
}

/** What an app reads from a picture: whose codes these are, and the seed. */
export function otpauthAddress(email: string, secret: string): string {
  return `otpauth://totp/Dagsverk:${encodeURIComponent(email)}?secret=${secret}&issuer=Dagsverk`
}

/** As apps take a seed that is typed (RFC 4648, 6). A seed is a whole number of groups, so nothing is padded. */
export function base32(seed: Buffer): string {
  let text = ''
  let bits = 0
  let count = 0
  for (const byte of seed) {
    bits = (bits << 8) | byte
    for (count += 8; count >= 5; count -= 5) text += alphabet.charAt((bits >> (count - 5)) & 31)
    bits &= 0xff
  }
  return text
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
