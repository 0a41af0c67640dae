// Link tokens: single-use secrets in e-mailed links, stored as a hash.
import { hash } from 'node:crypto'
import type { Random } from './secret.ts'

/** 256 bits. */
export function generateLinkToken(random: Random): { token: string; tokenHash: string } {
  const token = random(32).toString('base64url')
  return { token, tokenHash: hashLinkToken(token) }
}

export function hashLinkToken(token: string): string {
  return hash('sha256', token)
}
