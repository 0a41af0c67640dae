// Linearizability checker: the search of Wing and Gong with Lowe's memoization of visited states.

/** The effect of one call on a state, and its expected reply. */
export interface SequentialModel<State, Call> {
  readonly initial: State
  /** The state after the call; null if the call cannot have had this reply in this state. */
  readonly step: (state: State, call: Call) => State | null
  /** A unique text per state. */
  readonly key: (state: State) => string
}

export interface CallEvent<Call> {
  readonly call: Call
  readonly start: number
  /** Infinity without a reply: the call may have taken effect at any time since, or never. */
  readonly end: number
}

/** Whether the history is linearizable. */
export function isLinearizable<State, Call>(
  model: SequentialModel<State, Call>,
  history: readonly CallEvent<Call>[],
): boolean {
  const first = buildTimeline(history)
  const mustHappen = history.filter(({ end }) => end !== Infinity).length
  const visited = new Set<string>()
  const done = new Uint8Array(history.length)
  const steps: { entry: StartEntry<Call>; before: State }[] = []
  let state = model.initial
  let placed = 0
  let entry = first.next
  while (placed < mustHappen) {
    if (entry === null) throw new Error('a call with a reply is not in the timeline')
    if (entry.kind === 'start') {
      const next = model.step(state, entry.event.call)
      if (next !== null && isNew(entry.index, next)) {
        steps.push({ entry, before: state })
        state = next
        done[entry.index] = 1
        if (entry.endEntry !== null) placed++
        unlink(entry)
        entry = first.next
      } else entry = entry.next
      continue
    }
    // This call ended before the rest began, and could not be placed: the last step was wrong.
    const last = steps.pop()
    if (last === undefined) return false
    state = last.before
    done[last.entry.index] = 0
    if (last.entry.endEntry !== null) placed--
    relink(last.entry)
    entry = last.entry.next
  }
  return true

  function isNew(index: number, next: State): boolean {
    done[index] = 1
    const key = `${done.join('')} ${model.key(next)}`
    done[index] = 0
    if (visited.has(key)) return false
    visited.add(key)
    return true
  }
}

interface StartEntry<Call> {
  readonly kind: 'start'
  readonly event: CallEvent<Call>
  readonly index: number
  endEntry: EndEntry<Call> | null
  previous: TimelineEntry<Call> | TimelineHead<Call>
  next: TimelineEntry<Call> | null
}

interface EndEntry<Call> {
  readonly kind: 'end'
  previous: TimelineEntry<Call> | TimelineHead<Call>
  next: TimelineEntry<Call> | null
}

type TimelineEntry<Call> = StartEntry<Call> | EndEntry<Call>

interface TimelineHead<Call> {
  next: TimelineEntry<Call> | null
}

/**
 * Starts and ends in the order of time, as a linked list from which calls are removed and restored.
 */
function buildTimeline<Call>(history: readonly CallEvent<Call>[]): TimelineHead<Call> {
  const head: TimelineHead<Call> = { next: null }
  const entries = history.flatMap((event, index) => {
    const links = { previous: head, next: null }
    const endEntry: EndEntry<Call> | null = event.end === Infinity ? null : { kind: 'end', ...links }
    const start: StartEntry<Call> = { kind: 'start', event, index, endEntry, ...links }
    const timed: { at: number; entry: TimelineEntry<Call> }[] = [{ at: event.start, entry: start }]
    if (endEntry !== null) timed.push({ at: event.end, entry: endEntry })
    return timed
  })
  // A start and an end at the same moment overlap.
  const order = { start: 0, end: 1 }
  entries.sort((a, b) => a.at - b.at || order[a.entry.kind] - order[b.entry.kind])
  let last: TimelineEntry<Call> | TimelineHead<Call> = head
  for (const { entry } of entries) {
    entry.previous = last
    last.next = entry
    last = entry
  }
  return head
}

function unlink<Call>(start: StartEntry<Call>): void {
  for (const entry of [start, start.endEntry]) {
    if (entry === null) continue
    entry.previous.next = entry.next
    if (entry.next !== null) entry.next.previous = entry.previous
  }
}

/** In the reverse order of removal, so that every link is restored. */
function relink<Call>(start: StartEntry<Call>): void {
  for (const entry of [start.endEntry, start]) {
    if (entry === null) continue
    entry.previous.next = entry
    if (entry.next !== null) entry.next.previous = entry
  }
}
