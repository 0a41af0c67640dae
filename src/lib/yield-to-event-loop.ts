// Lets everybody else have a turn: long work is done in slices with this between them.

export function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Works through a long list slice by slice; a list of one slice is done at once. */
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
 * Gathers work until the end of the turn of the event loop, or until there are `most` of it, and then does all of it in a
 * row. Answers leave so: each write wakes a client that sleeps, and that costs more than the write, but for those that an
 * earlier one woke.
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
