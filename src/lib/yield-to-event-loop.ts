// Cooperative scheduling: yielding to the event loop in long loops, and batching work per turn.

export function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Processes a long list in chunks, yielding between them; a list of one chunk is processed without yielding. */
export async function inSlices<T>(
  list: readonly T[],
  sliceLength: number,
  work: (slice: readonly T[], start: number) => void | Promise<void>,
): Promise<void> {
  for (let start = 0; start < list.length; start += sliceLength) {
    if (start > 0) await nextTick()
    await work(list.slice(start, start + sliceLength), start)
  }
}

/**
 * Collects work until the end of the turn of the event loop, or until there are `workMax` items, and then runs all of it.
 * Used for replies: each write wakes a sleeping client process, which costs more than the write itself, except for
 * clients that an earlier write woke.
 */
export function turnEnd(most: number): (work: () => void) => void {
  let waiting: (() => void)[] = []
  const workOff = () => {
    const due = waiting
    waiting = []
    for (const work of due) work()
  }
  return (work) => {
    if (waiting.length === 0) setImmediate(workOff)
    waiting.push(work)
    if (waiting.length === most) workOff()
  }
}
