// What this browser remembers of a person, to go on without a net: until they sign out.
import { Refusal } from './ask.ts'

const prefix = 'dagsverk-kept-'

/** The answer of a question, or what it was last time where the server cannot be reached. */
export const keeping = async <Answer>(
  name: string,
  question: () => Promise<Answer>,
): Promise<Answer> => {
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

export const keep = (name: string, what: unknown): void =>
  localStorage.setItem(prefix + name, JSON.stringify(what))

/** JSON; null for what is not known here. */
export const keptText = (name: string): string | null => localStorage.getItem(prefix + name)

export const forgetKept = (): void => {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(prefix)) localStorage.removeItem(name)
}
