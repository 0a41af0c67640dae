import { expect, test } from 'vitest'
import { yieldToEventLoop } from './yield-to-event-loop.ts'
import { createMutex } from './mutex.ts'

test('each task begins when the previous one has succeeded or failed', async () => {
  const inTurn = createMutex()
  const seen: string[] = []
  const work = (name: string, fails = false) =>
    inTurn(async () => {
      seen.push(`${name} begins`)
      await yieldToEventLoop()
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const all = await Promise.allSettled([work('a'), work('b', true), work('c')])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
