// Replies stored in localStorage for offline use, until the user signs out.
import { Refusal } from './client.ts'

const prefix = 'dagsverk-kept-'

/** The reply, or the last stored one when the server cannot be reached. */
export async function keeping<Answer>(
  name: string,
  question: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await question()
    keep(name, answer)
    return answer
  } catch (error) {
    const last = keptText(name)
    if (last === null || !(error instanceof Refusal) || error.code !== 'Offline') throw error
    return JSON.parse(last)
  }
}

export function keep(name: string, what: unknown): void {
  return localStorage.setItem(prefix + name, JSON.stringify(what))
}

/** JSON; null when nothing is stored. */
export function keptText(name: string): string | null {
  return localStorage.getItem(prefix + name)
}

export function forgetKept(): void {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(prefix)) localStorage.removeItem(name)
}
