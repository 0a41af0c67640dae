// Runs writes with large bodies one at a time: a parsed body takes many times its size in memory.
import { createMutex } from '../../lib/mutex.ts'

/** Runs the work at once, or after earlier large bodies when this body is large too. */
export function runExclusiveIfLarge<T>(body: Buffer, work: () => Promise<T>): Promise<T> {
  return body.length > largeBodyBytes ? runExclusive(work) : work()
}

const runExclusive = createMutex()
const largeBodyBytes = 1024 * 1024
