// Tokens: single-use secrets in links, session ids and device secrets, stored as a hash.
import { hash } from 'node:crypto'
import type { Random } from './secret.ts'

/** 256 bits. */
export function generateToken(random: Random): string {
  return random(32).toString('base64url')
}

export function hashToken(token: string): string {
  return hash('sha256', token)
}
