// Lets everybody else have a turn: long work is done in slices with this between them.

export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Works through a long list slice by slice; a list of one slice is done at once. */
export const inSlices = async <T>(
  list: readonly T[],
  sliceLength: number,
  work: (slice: readonly T[], start: number) => void | Promise<void>,
): Promise<void> => {
  for (let start = 0; start < list.length; start += sliceLength) {
    if (start > 0) await nextTick()
    await work(list.slice(start, start + sliceLength), start)
  }
}
