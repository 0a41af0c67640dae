// Trusted devices: browsers that skip the second factor for 30 days, by cookie (ADR 0041).
import { generateToken, hashToken, type Random } from '../tokens/secret.ts'
import { hostCookie, readSecretCookie, type BrowserRequest } from '../sessions/session-cookie.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { deleteDevice, findDevice, insertDevice, recordDeviceUse } from '../../store/accounts/second-factors.ts'
import type { Store } from '../../store/store.ts'
import type { UserTable } from '../../store/tables/accounts.ts'

export const trustedDeviceLifetime = 30 * microsecondsPerDay

const cookieName = '__Host-device'

export function deviceCookie(secret: string): string {
  return hostCookie(cookieName, secret, trustedDeviceLifetime)
}

/** The hash of the device cookie; null without one. */
export function readDeviceHash(request: BrowserRequest): string | null {
  const secret = readSecretCookie(request, cookieName)
  return secret === null ? null : hashToken(secret)
}

/** Whether this browser is a trusted device of the person. */
export async function isTrustedDevice(
  store: Store,
  { id: userId, version: userVersion }: UserTable,
  request: BrowserRequest,
  now: number,
): Promise<boolean> {
  const secretHash = readDeviceHash(request)
  if (secretHash === null) return false
  const device = { userId, secretHash, userVersion }
  return (await findDevice(store, { ...device, since: now - trustedDeviceLifetime })) !== undefined
}

export async function recordTrustedDeviceUse(
  store: Store,
  { id: userId }: UserTable,
  request: BrowserRequest,
  seenAt: number,
): Promise<void> {
  const secretHash = readDeviceHash(request)
  if (secretHash === null) return
  await store.inSystemTransaction((writer) => recordDeviceUse(writer, { userId, secretHash, seenAt }))
}

/** Makes the browser a trusted device and replaces its previous entry; returns the value of the cookie. */
export async function trustDevice(
  store: Store,
  { id: userId, version: userVersion }: UserTable,
  request: BrowserRequest,
  { random, agent, now }: { readonly random: Random; readonly agent: string; readonly now: number },
): Promise<string> {
  const secret = generateToken(random)
  const before = readDeviceHash(request)
  const device = { userId, secretHash: hashToken(secret), userVersion, agent }
  await store.inSystemTransaction(async (writer) => {
    if (before !== null) await deleteDevice(writer, { userId, secretHash: before })
    await insertDevice(writer, { ...device, createdAt: now, seenAt: now })
  })
  return secret
}
