// Ten codes for the day when the phone is gone: written down once, each good for one sign-in.
import { hashGenerated } from '../passwords/password-hash.ts'
import type { Random } from '../tokens/secret.ts'

const codesMade = 10
/** 80 bits, in an alphabet without look-alikes. */
const codeLength = 16

/** Like `4k7m-q2xd-9nbt-ra0w`. */
export function generateRecoveryCodes(random: Random): string[] {
  return Array.from({ length: codesMade }, () =>
    Array.from(random(codeLength), (byte) => alphabet.charAt(byte % alphabet.length))
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  )
}

/** What is kept of one: useless without the pepper, and for anybody else. */
export function hashOfRecoveryCode(userId: number, code: string, pepper: Buffer): string {
  return hashGenerated(`recovery ${userId} ${asMeant(code)}`, pepper)
}

/** Six digits are the app's. */
export function isRecoveryCode(code: string): boolean {
  return asMeant(code).length === codeLength
}

/** However it was typed: hyphens, blanks, capitals, and letters that look like digits. */
function asMeant(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/[^\da-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
}

/** 32 of them, so every byte is as likely. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
