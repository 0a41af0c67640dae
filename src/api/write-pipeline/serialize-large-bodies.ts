// Bodies of megabytes become many times as much on their way: this process works on one of them at a time.
import { oneAtATime } from '../../lib/mutex.ts'

/** The work at once, or where the body is long when those before it are done. */
export function inTurnIfLong<T>(body: Buffer, work: () => Promise<T>): Promise<T> {
  return body.length > longBodyBytes ? inTurn(work) : work()
}

const inTurn = oneAtATime()
const longBodyBytes = 1024 * 1024
