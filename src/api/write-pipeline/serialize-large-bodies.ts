// Runs writes with large bodies one at a time: a parsed body takes many times its size in memory.
import { oneAtATime } from '../../lib/mutex.ts'

/** Runs the work at once, or after earlier large bodies when this body is large too. */
export function inTurnIfLong<T>(body: Buffer, work: () => Promise<T>): Promise<T> {
  return body.length > longBodyBytes ? inTurn(work) : work()
}

const inTurn = oneAtATime()
const longBodyBytes = 1024 * 1024
