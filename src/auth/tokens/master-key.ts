// The master key: 32 bytes that the operator keeps beside the database, and all that hangs on them.
import { hkdfSync } from 'node:crypto'
import type { Random } from './secret.ts'

export interface MasterKey {
  /** Goes into the hash of every generated secret. */
  readonly pepper: Buffer
  /** Stands in the database, so that another key is noticed; tells nothing about this one. */
  readonly checkValue: string
}

export function generateMasterKey(random: Random): string {
  return random(keyBytes).toString('base64')
}

/** Reads a key in base64; null when it is no 32 bytes. The text itself is never part of an error. */
export function parseMasterKey(text: string): MasterKey | null {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== keyBytes || !/^[\w+/-]{43}=?$/.test(text.trim())) return null
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `dagsverk ${purpose}`, keyBytes))
  return { pepper: derive('pepper'), checkValue: derive('check').toString('base64url') }
}

const keyBytes = 32
