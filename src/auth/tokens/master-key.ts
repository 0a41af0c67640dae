// Master key: 32 bytes stored outside the database, from which the pepper is derived.
import { hkdfSync } from 'node:crypto'
import type { Random } from './secret.ts'

export interface MasterKey {
  /** Key of the hashes of generated secrets. */
  readonly pepper: Buffer
  /** Stored in the database to detect a different key; reveals nothing about the key. */
  readonly checkValue: string
}

export function generateMasterKey(random: Random): string {
  return random(keyBytes).toString('base64')
}

/** Parses a base64 key; null unless it has 32 bytes. Errors never contain the text. */
export function parseMasterKey(text: string): MasterKey | null {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== keyBytes || !/^[\w+/-]{43}=?$/.test(text.trim())) return null
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `dagsverk ${purpose}`, keyBytes))
  return { pepper: derive('pepper'), checkValue: derive('check').toString('base64url') }
}

const keyBytes = 32
