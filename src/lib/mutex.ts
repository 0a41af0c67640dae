// Mutex: runs asynchronous tasks one after the other.

/** Creates a function that runs tasks in order, each after the previous one has settled. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
