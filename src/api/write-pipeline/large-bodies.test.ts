// Large bodies: whose turn it is, and the pause after one while others write.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { StoreLoad } from '../../store/store.ts'
import { LargeBodies } from './large-bodies.ts'

const [one, other] = [1 as CompanyId, 2 as CompanyId]
const client = { onDisconnect: () => () => {} }

let now = 0
let operationsCommitted = 0
let bodies: LargeBodies
let order: string[] = []
beforeEach(() => {
  vi.useFakeTimers()
  order = []
  bodies = new LargeBodies({ load: () => ({ operationsCommitted }) as StoreLoad }, () => now)
})
afterEach(() => {
  vi.useRealTimers()
})

/** Takes 300 ms, in which so many operations are committed. */
function write(companyId: CompanyId, name: string, committed: number): Promise<void> {
  return bodies.run(companyId, client, async () => {
    order.push(name)
    now += 300
    operationsCommitted += committed
  })
}

test('companies take turns, however many lists each has waiting', async () => {
  await Promise.all([write(one, 'a1', 1), write(one, 'a2', 1), write(one, 'a3', 1), write(other, 'b1', 1)])
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('where others have written meanwhile, the next list waits as long as the one before took', async () => {
  const lists = Promise.all([write(one, 'a1', 2), write(one, 'a2', 1), write(one, 'a3', 1)])
  await vi.advanceTimersByTimeAsync(299)
  expect(order).toEqual(['a1'])
  await vi.advanceTimersByTimeAsync(1)
  await lists
  expect(order).toEqual(['a1', 'a2', 'a3'])
})

test('a list whose client disconnects before its turn is not written', async () => {
  const first = write(one, 'a1', 1)
  let disconnect = () => {}
  const onDisconnect = (callback: () => void) => {
    disconnect = callback
    return () => {}
  }
  const second = bodies.run(one, { onDisconnect }, async () => void order.push('a2'))
  disconnect()
  await expect(second).rejects.toMatchObject({ code: 'Overloaded' })
  await first
  expect(order).toEqual(['a1'])
})
