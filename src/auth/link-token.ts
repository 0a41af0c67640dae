// What stands in a link that is sent to somebody: whoever has it may use it once. The database has its hash alone.
import { hash } from 'node:crypto'
import type { Random } from '#auth/secret.ts'

/** 256 bits. */
export const newLinkToken = (random: Random): { token: string; tokenHash: string } => {
  const token = random(32).toString('base64url')
  return { token, tokenHash: hashOfLink(token) }
}

export const hashOfLink = (token: string): string => hash('sha256', token)
