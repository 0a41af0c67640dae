// Tests of the linearizability checker itself.
import { describe, expect, test } from 'vitest'
import { randomFrom, seededRandom, type SeededRandom } from '../support/random.ts'
import { isLinearizable, type CallEvent, type SequentialModel } from './linearize.ts'

type Call = { readonly add: number; readonly total: number | null } | { readonly read: number }

/** A sum; the reply to an addition may have been lost. */
const sum: SequentialModel<number, Call> = {
  initial: 0,
  step: (state, call) => {
    if ('read' in call) return call.read === state ? state : null
    const total = state + call.add
    return call.total === null || call.total === total ? total : null
  },
  key: String,
}

function add(value: number, total: number | null, start: number, end: number): CallEvent<Call> {
  return { call: { add: value, total }, start, end }
}
function read(value: number, start: number, end: number): CallEvent<Call> {
  return { call: { read: value }, start, end }
}

describe('a history is linearizable', () => {
  test.each([
    ['nothing happened', []],
    ['one call after the other', [add(1, 1, 0, 1), add(2, 3, 2, 3), read(3, 4, 5)]],
    ['concurrent calls, in the order of their replies', [add(1, 3, 0, 9), add(2, 2, 1, 8)]],
    ['a read during a write sees the state before it', [add(1, 1, 0, 9), read(0, 1, 8)]],
    ['a read during a write sees the state after it', [add(1, 1, 0, 9), read(1, 1, 8)]],
    ['a start and an end at the same moment overlap', [add(1, 1, 0, 5), read(0, 5, 6)]],
    ['a call without a reply took effect', [add(1, null, 0, Infinity), read(1, 2, 3)]],
    ['a call without a reply has not taken effect yet', [add(1, null, 0, Infinity), read(0, 2, 3), read(1, 4, 5)]],
    ['a call without a reply never takes effect', [add(1, null, 0, Infinity), read(0, 2, 3)]],
  ])('%s', (_, history) => {
    expect(isLinearizable(sum, history)).toBe(true)
  })
})

describe('a history is not linearizable', () => {
  test.each([
    ['an addition is lost', [add(1, 1, 0, 9), add(2, 2, 1, 8)]],
    ['a read returns an outdated state', [add(1, 1, 0, 1), read(0, 2, 3)]],
    ['a read returns a later state', [read(1, 0, 1), add(1, 1, 2, 3)]],
    ['two reads see a write disappear and return', [add(1, 1, 0, 9), read(1, 1, 2), read(0, 3, 4)]],
    ['a call without a reply took effect twice', [add(1, null, 0, Infinity), read(1, 2, 3), read(2, 4, 5)]],
    ['a call without a reply took effect before its start', [read(1, 0, 1), add(1, null, 2, Infinity)]],
  ])('%s', (_, history) => {
    expect(isLinearizable(sum, history)).toBe(false)
  })
})

test('random histories of a sum are accepted, and rejected when one reply is falsified', () => {
  const random = seededRandom()
  for (let round = 0; round < 200; round++) {
    const history = randomHistory(randomFrom(random.below(2 ** 30)), 8, 60)
    expect(isLinearizable(sum, history), `round ${round}`).toBe(true)
    const spoiled = history.map((event, index) =>
      index === 30 && 'add' in event.call
        ? { ...event, call: { ...event.call, total: -1 } }
        : index === 30
          ? { ...event, call: { read: -1 } }
          : event,
    )
    expect(isLinearizable(sum, spoiled), `round ${round}, spoiled`).toBe(false)
  }
})

/**
 * Random concurrent callers: each call takes effect at one moment between its start and its end.
 */
function randomHistory(random: SeededRandom, callers: number, length: number): CallEvent<Call>[] {
  const free = Array.from({ length: callers }, () => 0)
  const moments = Array.from({ length }, () => {
    const caller = random.below(callers)
    const start = (free[caller] ?? 0) + random.below(20)
    const happens = start + random.below(30)
    const end = happens + random.below(30)
    free[caller] = end + 1
    return { start, happens, end }
  })
  let state = 0
  return moments
    .toSorted((a, b) => a.happens - b.happens)
    .map(({ start, end }) => {
      if (random.below(3) === 0) return read(state, start, end)
      const value = 1 + random.below(5)
      state += value
      return add(value, state, start, end)
    })
}
