// Work that is too large to be done twice at the same time waits in a row.

/** Runs what it is given in the order it was given, each when the one before has ended, well or not. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
