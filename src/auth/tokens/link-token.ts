// What stands in a link that is sent to somebody: whoever has it may use it once. The database has its hash alone.
import { hash } from 'node:crypto'
import type { Random } from './secret.ts'

/** 256 bits. */
export function newLinkToken(random: Random): { token: string; tokenHash: string } {
  const token = random(32).toString('base64url')
  return { token, tokenHash: hashOfLink(token) }
}

export function hashOfLink(token: string): string {
  return hash('sha256', token)
}
