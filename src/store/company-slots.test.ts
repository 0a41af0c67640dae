// Company slots: the order in which waiting reads get one, the share of a company, and which reads fail.
import { expect, test, vi } from 'vitest'
import type { CompanyId } from '../engine/model/resource.ts'
import { ActiveCompanies } from './active-companies.ts'
import { CompanySlots, createCostlySlots } from './company-slots.ts'

const [one, other] = [1 as CompanyId, 2 as CompanyId]
const overloaded = { code: 'Overloaded', headers: { 'Retry-After': '5' } }

test('a read without a slot waits until one is released', async () => {
  const slots = new CompanySlots({ count: 1, waitMs: null })
  const release = await slots.acquire(one)
  const second = slots.acquire(one)
  expect([slots.inUse, slots.waiting]).toEqual([1, 1])
  release()
  const releaseSecond = await second
  expect([slots.inUse, slots.waiting]).toEqual([1, 0])
  releaseSecond()
  expect([slots.inUse, slots.waiting]).toEqual([0, 0])
})

test('companies take turns, however many reads each has waiting', async () => {
  const slots = new CompanySlots({ count: 1, waitMs: null })
  const release = await slots.acquire(one)
  const order: string[] = []
  const read = async (companyId: CompanyId, name: string) => {
    const releaseOwn = await slots.acquire(companyId)
    order.push(name)
    releaseOwn()
  }
  const reads = [read(one, 'a1'), read(one, 'a2'), read(one, 'a3'), read(other, 'b1')]
  release()
  await Promise.all(reads)
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('a read fails with Overloaded when its waiting time is over, and leaves the queue', async () => {
  const slots = new CompanySlots({ count: 1, waitMs: 1 })
  const release = await slots.acquire(one)
  await expect(slots.acquire(one)).rejects.toMatchObject(overloaded)
  expect([slots.inUse, slots.waiting]).toEqual([1, 0])
  release()
  await slots.acquire(one)
})

test('a read whose client disconnects leaves the queue, and the slot goes to the next', async () => {
  const slots = new CompanySlots({ count: 1, waitMs: null })
  const release = await slots.acquire(one)
  let disconnect: () => void = () => {}
  const disconnected = slots.acquire(one, {
    onDisconnect: (callback) => {
      disconnect = callback
      return () => {}
    },
  })
  const next = slots.acquire(one)
  disconnect()
  await expect(disconnected).rejects.toMatchObject({ code: 'Overloaded' })
  expect(slots.waiting).toBe(1)
  release()
  await next
})

test('a full queue rejects a read immediately, and one company cannot fill it', async () => {
  const slots = new CompanySlots({ count: 1, waitMs: null, waitingMax: 4 })
  await slots.acquire(one)
  const waiting = [slots.acquire(one), slots.acquire(one)]
  await expect(slots.acquire(one)).rejects.toMatchObject(overloaded)
  waiting.push(slots.acquire(other), slots.acquire(other))
  await expect(slots.acquire(3)).rejects.toMatchObject(overloaded)
  expect(slots.waiting).toBe(waiting.length)
})

test('one company uses at most three quarters of the slots, so that another finds one free', async () => {
  const slots = new CompanySlots({ count: 4, waitMs: null })
  const releases = [await slots.acquire(one), await slots.acquire(one), await slots.acquire(one)]
  const waiting = slots.acquire(one)
  expect([slots.inUse, slots.waiting]).toEqual([3, 1])
  const releaseOther = await slots.acquire(other)
  expect([slots.inUse, slots.waiting]).toEqual([4, 1])
  releaseOther()
  expect([slots.inUse, slots.waiting]).toEqual([3, 1])
  releases[0]?.()
  await waiting
  expect([slots.inUse, slots.waiting]).toEqual([3, 0])
})

test('a company has three costly reads at a time while it is alone, and one while another has requests', async () => {
  vi.useFakeTimers()
  const companies = new ActiveCompanies()
  const slots = createCostlySlots(companies, null)
  companies.add(other)
  companies.add(one)
  const releases = [slots.acquire(one), slots.acquire(one), slots.acquire(one)]
  expect([slots.inUse, slots.waiting]).toEqual([1, 2])
  vi.advanceTimersByTime(2000)
  const fourth = slots.acquire(one)
  expect([slots.inUse, slots.waiting]).toEqual([3, 1])
  companies.add(other)
  for (const release of await Promise.all(releases)) release()
  expect([slots.inUse, slots.waiting]).toEqual([1, 0])
  await fourth
  vi.useRealTimers()
})
