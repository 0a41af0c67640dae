// Linearizability checker: the search of Wing and Gong with Lowe's memoization of visited states.

/** The effect of one call on a state, and its expected reply. */
export interface Model<State, Call> {
  readonly initial: State
  /** The state after the call; null if the call cannot have had this reply in this state. */
  readonly step: (state: State, call: Call) => State | null
  /** A unique text per state. */
  readonly key: (state: State) => string
}

export interface Event<Call> {
  readonly call: Call
  readonly start: number
  /** Infinity without a reply: the call may have taken effect at any time since, or never. */
  readonly end: number
}

/** Whether the history is linearizable. */
export function isLinearizable<State, Call>(
  model: Model<State, Call>,
  history: readonly Event<Call>[],
): boolean {
  const first = timeline(history)
  const mustHappen = history.filter(({ end }) => end !== Infinity).length
  const visited = new Set<string>()
  const done = new Uint8Array(history.length)
  const steps: { mark: StartMark<Call>; before: State }[] = []
  let state = model.initial
  let answered = 0
  let mark = first.next
  while (answered < mustHappen) {
    if (mark === null) throw new Error('a call with a reply is not in the timeline')
    if (mark.kind === 'start') {
      const next = model.step(state, mark.event.call)
      if (next !== null && isNew(mark.index, next)) {
        steps.push({ mark, before: state })
        state = next
        done[mark.index] = 1
        if (mark.endMark !== null) answered++
        takeOut(mark)
        mark = first.next
      } else mark = mark.next
      continue
    }
    // This call ended before the rest began, and could not be placed: the last step was wrong.
    const last = steps.pop()
    if (last === undefined) return false
    state = last.before
    done[last.mark.index] = 0
    if (last.mark.endMark !== null) answered--
    putBack(last.mark)
    mark = last.mark.next
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

interface StartMark<Call> {
  readonly kind: 'start'
  readonly event: Event<Call>
  readonly index: number
  endMark: EndMark<Call> | null
  previous: Mark<Call> | Head<Call>
  next: Mark<Call> | null
}

interface EndMark<Call> {
  readonly kind: 'end'
  previous: Mark<Call> | Head<Call>
  next: Mark<Call> | null
}

type Mark<Call> = StartMark<Call> | EndMark<Call>

interface Head<Call> {
  next: Mark<Call> | null
}

/**
 * Starts and ends in the order of time, as a linked list from which calls are removed and restored.
 */
function timeline<Call>(history: readonly Event<Call>[]): Head<Call> {
  const head: Head<Call> = { next: null }
  const marks = history.flatMap((event, index) => {
    const links = { previous: head, next: null }
    const endMark: EndMark<Call> | null = event.end === Infinity ? null : { kind: 'end', ...links }
    const start: StartMark<Call> = { kind: 'start', event, index, endMark, ...links }
    const timed: { at: number; mark: Mark<Call> }[] = [{ at: event.start, mark: start }]
    if (endMark !== null) timed.push({ at: event.end, mark: endMark })
    return timed
  })
  // A start and an end at the same moment overlap.
  const order = { start: 0, end: 1 }
  marks.sort((a, b) => a.at - b.at || order[a.mark.kind] - order[b.mark.kind])
  let last: Mark<Call> | Head<Call> = head
  for (const { mark } of marks) {
    mark.previous = last
    last.next = mark
    last = mark
  }
  return head
}

function takeOut<Call>(start: StartMark<Call>): void {
  for (const mark of [start, start.endMark]) {
    if (mark === null) continue
    mark.previous.next = mark.next
    if (mark.next !== null) mark.next.previous = mark.previous
  }
}

/** In the reverse order of removal, so that every link is restored. */
function putBack<Call>(start: StartMark<Call>): void {
  for (const mark of [start.endMark, start]) {
    if (mark === null) continue
    mark.previous.next = mark
    if (mark.next !== null) mark.next.previous = mark
  }
}
