// The one-time link that opens a server nobody owns yet.
import { hash } from 'node:crypto'
import { isSameHash } from '../passwords/password-hash.ts'
import type { Random } from './secret.ts'
import { readSetting, takeSetting, writeSetting } from '../../store/accounts/settings.ts'
import type { Reader, Writer } from '../../store/store.ts'

/** How long a link is good: 60 minutes. */
export const setupLinkMinutes = 60

/** Makes a new token of 256 bits; the one before it is worth nothing from now on. `now` in microseconds. */
export async function issueSetupToken(
  writer: Writer,
  random: Random,
  now: number,
): Promise<string> {
  const token = random(32).toString('base64url')
  const expiresAt = now + setupLinkMinutes * 60_000_000
  await writeSetting(writer, settingName, `${hashOf(token)} ${expiresAt}`)
  return token
}

/** Whether this is the last token made, within its time. */
export async function isSetupToken(reader: Reader, token: string, now: number): Promise<boolean> {
  return isGood((await readSetting(reader, settingName)) ?? '', token, now)
}

/** Uses the token: true for one caller, however many come with it at once. No token is good after that. */
export async function takeSetupToken(writer: Writer, token: string, now: number): Promise<boolean> {
  const stored = (await readSetting(writer, settingName)) ?? ''
  return isGood(stored, token, now) && takeSetting(writer, settingName, stored)
}

function isGood(stored: string, token: string, now: number): boolean {
  const [tokenHash = '', expiresAt = '0'] = stored.split(' ')
  return isSameHash(tokenHash, hashOf(token)) && now < Number(expiresAt)
}

const settingName = 'setupLink'

function hashOf(token: string): string {
  return hash('sha256', token)
}
