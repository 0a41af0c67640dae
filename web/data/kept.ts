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
    localStorage.setItem(prefix + name, JSON.stringify(answer))
    return answer
  } catch (error) {
    const last = localStorage.getItem(prefix + name)
    if (last === null || !(error instanceof Refusal) || error.code !== 'Offline') throw error
    return JSON.parse(last)
  }
}

export const forgetKept = (): void => {
  for (const name of Object.keys(localStorage))
    if (name.startsWith(prefix)) localStorage.removeItem(name)
}
