// TOTP codes: six digits every 30 seconds (RFC 6238, with the parameters that all apps support).
import { createHmac } from 'node:crypto'
import { hashesEqual } from '../passwords/password-hash.ts'

/** Length of the shared secret, equal to the hash length (RFC 4226, 4). */
export const seedBytes = 20

/** Microseconds. */
const stepLength = 30_000_000

/** The time step that the code belongs to: the current one, the previous or the next; null when none matches. */
export function findStep(seed: Buffer, code: string, now: number): number | null {
  const current = Math.floor(now / stepLength)
  const steps = [current - 1, current, current + 1]
  return steps.find((step) => hashesEqual(codeAt(seed, step * stepLength), code)) ?? null
}

/** The code at a time in microseconds. */
export function codeAt(seed: Buffer, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / stepLength)))
  const mac = createHmac('sha1', seed).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const digits = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000
  return String(digits).padStart(6, '0')
}

/** The URL in the QR code, with the account and the seed. */
export function otpauthUrl(email: string, secret: string): string {
  return `otpauth://totp/Dagsverk:${encodeURIComponent(email)}?secret=${secret}&issuer=Dagsverk`
}

/** Base32 (RFC 4648, 6) for typing the seed. A seed is a whole number of groups, so no padding is needed. */
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
