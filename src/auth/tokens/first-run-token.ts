// First-run token: the one-time secret of the set-up link.
import { hashesEqual } from '../passwords/password-hash.ts'
import { generateToken, hashToken, type Random } from './secret.ts'
import { microsecondsPerMinute } from '../../lib/timestamp.ts'
import { getSetting, consumeSetting, saveSetting } from '../../store/accounts/settings.ts'
import type { Reader, Writer } from '../../store/store.ts'

/** Lifetime of the link. */
export const setupLinkMinutes = 60

/** Creates a token of 256 bits and invalidates the previous one. `now` in microseconds. */
export async function issueSetupToken(writer: Writer, random: Random, now: number): Promise<string> {
  const token = generateToken(random)
  const expiresAt = now + setupLinkMinutes * microsecondsPerMinute
  await saveSetting(writer, { name: settingName, value: `${hashToken(token)} ${expiresAt}` })
  return token
}

/** Whether this is the latest token and has not expired. */
export async function isSetupToken(reader: Reader, token: string, now: number): Promise<boolean> {
  return isValid((await getSetting(reader, settingName)) ?? '', token, now)
}

/** Consumes the token; true for exactly one of several concurrent callers. */
export async function consumeSetupToken(writer: Writer, token: string, now: number): Promise<boolean> {
  const stored = (await getSetting(writer, settingName)) ?? ''
  return isValid(stored, token, now) && consumeSetting(writer, { name: settingName, value: stored })
}

function isValid(stored: string, token: string, now: number): boolean {
  const [tokenHash = '', expiresAt = '0'] = stored.split(' ')
  return hashesEqual(tokenHash, hashToken(token)) && now < Number(expiresAt)
}

const settingName = 'setupLink'
