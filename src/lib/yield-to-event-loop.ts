// Cooperative scheduling: long work in slices, one in each turn of the event loop, and work batched per turn.

/** What is due at the end of this turn of the event loop. */
const dueBatches = new Set<() => void>()

/** Long work that waits for its next slice. */
const waitingWork: (() => void)[] = []

/**
 * Ends a slice of long work: the next one comes after those that wait already. In each turn of the event loop there is one,
 * of whatever work, so that a new request waits for one slice and not for a slice of all long work.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waitingWork.push(resolve)
    if (waitingWork.length === 1) setImmediate(resumeNext)
  })
}

function resumeNext(): void {
  runDueBatches()
  turnsDeferred = isDeferred && turnsDeferred < turnsDeferredMax ? turnsDeferred + 1 : 0
  isDeferred = false
  if (turnsDeferred === 0) waitingWork.shift()?.()
  if (waitingWork.length > 0) setImmediate(resumeNext)
}

let isDeferred = false
let turnsDeferred = 0
/** Turns without a slice in a row, each of a fraction of a millisecond. */
const turnsDeferredMax = 100

/** There is no slice of long work in this turn of the event loop, unless many turns before had none. */
export function deferLongWork(): void {
  isDeferred = true
}

/** Resolves in the next turn of the event loop, for short work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) =>
    setImmediate(() => {
      runDueBatches()
      resolve()
    }),
  )
}

/** Ends after so many turns of the event loop, after so many milliseconds, or when `isDone` returns true, which is called once after each turn. */
export async function waitForTurns(turns: number, ms: number, isDone: () => boolean): Promise<void> {
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
  }, ms)
  for (let turn = 0; turn < turns; turn += 1) {
    await nextTurn()
    if (isOver || isDone()) break
  }
  clearTimeout(timer)
}

/** Before anything else: a reply is short, and would otherwise wait for the next slice of a long list. */
function runDueBatches(): void {
  for (const run of dueBatches) run()
}

/** An array, or a list that creates its elements each time that they are read. */
export interface Sliceable<T> {
  readonly length: number
  /** As of an array, from a start and to an end that are not negative. */
  readonly slice: (start?: number, end?: number) => T[]
}

/** Processes a long list in chunks, yielding between them; a list of one chunk is processed at once. */
export function forEachChunk<T>(
  list: Sliceable<T>,
  chunkLength: number,
  work: (chunk: readonly T[], start: number) => void | Promise<void>,
): void | Promise<void> {
  if (list.length > chunkLength) return forEachOfManyChunks(list, chunkLength, work)
  return list.length === 0 ? undefined : work(list.slice(), 0)
}

async function forEachOfManyChunks<T>(
  list: Sliceable<T>,
  chunkLength: number,
  work: (chunk: readonly T[], start: number) => void | Promise<void>,
): Promise<void> {
  for (let start = 0; start < list.length; start += chunkLength) {
    if (start > 0) await yieldToEventLoop()
    await work(list.slice(start, start + chunkLength), start)
  }
}

/** The same with ranges: a chunk is the next ranges that have `chunkLength` items together, or more. */
export async function forEachRangeChunk<Range extends { readonly length: number }>(
  ranges: readonly Range[],
  chunkLength: number,
  work: (chunk: readonly Range[]) => void | Promise<void>,
): Promise<void> {
  let start = 0
  let items = 0
  for (const [index, { length }] of ranges.entries()) {
    items += length
    if (items < chunkLength && index + 1 < ranges.length) continue
    if (start > 0) await yieldToEventLoop()
    await work(ranges.slice(start, index + 1))
    start = index + 1
    items = 0
  }
}

/**
 * Collects work until the end of the turn of the event loop, or until there are `workMax` items, and then runs all of it.
 * Replies written together wake each client process once, which costs more than a write.
 */
export function batchPerTurn(workMax: number): (work: () => void) => void {
  let waiting: (() => void)[] = []
  const runWaiting = () => {
    dueBatches.delete(runWaiting)
    const due = waiting
    waiting = []
    for (const work of due) work()
  }
  return (work) => {
    if (waiting.length === 0) {
      dueBatches.add(runWaiting)
      setImmediate(runWaiting)
    }
    waiting.push(work)
    if (waiting.length === workMax) runWaiting()
  }
}
