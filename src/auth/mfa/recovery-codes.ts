// Recovery codes: ten single-use codes for people who lose their authenticator app.
import { hashSecret } from '../passwords/password-hash.ts'
import type { Random } from '../tokens/secret.ts'

const codesMade = 10
/** 80 bits, in an alphabet without look-alike characters. */
const codeLength = 16

/** Like `4k7m-q2xd-9nbt-ra0w`. */
export function generateRecoveryCodes(random: Random): string[] {
  return Array.from({ length: codesMade }, () =>
    Array.from(random(codeLength), (byte) => alphabet.charAt(byte % alphabet.length))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
}

/** The stored hash of a code, bound to the user and the pepper. */
export function hashRecoveryCode(userId: number, code: string, pepper: Buffer): string {
  return hashSecret(`recovery ${userId} ${normalize(code)}`, pepper)
}

/** Codes of the authenticator app have six digits. */
export function isRecoveryCode(code: string): boolean {
  return normalize(code).length === codeLength
}

/** Normalizes typed input: hyphens, blanks, capitals, and letters that look like digits. */
function normalize(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/[^\da-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
}

/** 32 characters divide 256, so all are equally likely. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
