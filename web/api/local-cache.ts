// Replies stored in localStorage for offline use, until the user signs out.
import { hasErrorCode } from './client.ts'

const prefix = 'dagsverk-kept-'

/** The reply, or the last stored one when the server cannot be reached. */
export async function fetchWithCache<Reply>(name: string, fetchReply: () => Promise<Reply>): Promise<Reply> {
  try {
    const reply = await fetchReply()
    saveToCache(name, reply)
    return reply
  } catch (error) {
    const last = readCachedText(name)
    if (last === null || !hasErrorCode(error, 'Offline')) throw error
    return JSON.parse(last)
  }
}

export function saveToCache(name: string, what: unknown): void {
  return localStorage.setItem(getCacheKey(name), JSON.stringify(what))
}

/** In localStorage. */
export function getCacheKey(name: string): string {
  return prefix + name
}

/** JSON; null when nothing is stored. */
export function readCachedText(name: string): string | null {
  return localStorage.getItem(getCacheKey(name))
}

export function deleteCache(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
}
