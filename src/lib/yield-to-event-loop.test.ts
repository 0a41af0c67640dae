import { describe, expect, it } from 'vitest'
import { forEachChunk, nextTurn, yieldToEventLoop, batchPerTurn } from './yield-to-event-loop.ts'

describe('batched work', () => {
  it('runs in order at the end of the turn of the event loop', async () => {
    const done: string[] = []
    const atEnd = batchPerTurn(16)
    atEnd(() => done.push('first'))
    await Promise.resolve()
    atEnd(() => done.push('second'))
    expect(done).toEqual([])
    await yieldToEventLoop()
    expect(done).toEqual(['first', 'second'])
  })

  it('runs before the work that yielded earlier', async () => {
    const done: string[] = []
    const yielded = yieldToEventLoop().then(() => done.push('next chunk'))
    batchPerTurn(16)(() => done.push('reply'))
    await yielded
    expect(done).toEqual(['reply', 'next chunk'])
  })

  it('runs at once when the batch is full, each item once', async () => {
    const done: number[] = []
    const atEnd = batchPerTurn(2)
    for (const number of [1, 2, 3]) atEnd(() => done.push(number))
    expect(done).toEqual([1, 2])
    await yieldToEventLoop()
    await yieldToEventLoop()
    expect(done).toEqual([1, 2, 3])
  })
})

describe('long work', () => {
  it('goes on with one slice in each turn of the event loop, of each in turn', async () => {
    const slices: string[] = []
    const run = async (name: string) => {
      for (let slice = 1; slice <= 2; slice += 1) {
        await yieldToEventLoop()
        slices.push(name + slice)
      }
    }
    const all = Promise.all(['a', 'b', 'c'].map(run))
    for (let turn = 0; turn <= 6; turn += 1) {
      expect(slices).toHaveLength(turn)
      await nextTurn()
    }
    expect(slices).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
    await all
  })
})

describe('a long list', () => {
  it('is processed in slices, and each slice has its offset', async () => {
    const slices: [number, readonly number[]][] = []
    await forEachChunk([10, 20, 30, 40, 50], 2, (slice, start) => {
      slices.push([start, slice])
    })
    expect(slices).toEqual([
      [0, [10, 20]],
      [2, [30, 40]],
      [4, [50]],
    ])
  })
})
