import { expect, test } from 'vitest'
import { HashQueue } from './hash-queue.ts'

/** Work items that the test completes explicitly. */
function works() {
  const ends: (() => void)[] = []
  let runningMost = 0
  let running = 0
  const work = async () => {
    runningMost = Math.max(runningMost, ++running)
    await new Promise<void>((resolve) => {
      ends.push(resolve)
    })
    running--
  }
  const endAll = async () => {
    for (let quiet = 0; quiet < 3;) {
      const end = ends.shift()
      if (end === undefined) quiet++
      else end()
      await new Promise(setImmediate)
    }
  }
  return { work, endAll, runningMost: () => runningMost }
}

test('two items run at once, all others in order', async () => {
  const queue = new HashQueue({ runningMax: 2, waitingMax: 10, reservedForKnown: 2 })
  const { work, endAll, runningMost } = works()
  const done: number[] = []
  const all = Array.from({ length: 8 }, (_, n) => queue.run(false, work).then(() => done.push(n)))
  await endAll()
  await Promise.all(all)
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(runningMost()).toBe(2)
})

test('unknown networks are rejected while positions are reserved for known ones', async () => {
  const queue = new HashQueue({ runningMax: 1, waitingMax: 3, reservedForKnown: 1 })
  const { work, endAll } = works()
  const all = [queue.run(false, work), queue.run(false, work), queue.run(false, work)]
  await expect(queue.run(false, work)).rejects.toMatchObject({ code: 'Overloaded', status: 503 })
  all.push(queue.run(true, work))
  await expect(queue.run(true, work)).rejects.toMatchObject({ code: 'Overloaded' })
  await endAll()
  await Promise.all(all)
})

test('failing work frees its slot', async () => {
  const queue = new HashQueue({ runningMax: 1, waitingMax: 3, reservedForKnown: 1 })
  const failing = queue.run(false, () => Promise.reject(new Error('broken hash')))
  const next = queue.run(false, () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken hash')
  await expect(next).resolves.toBe('done')
  await expect(queue.run(false, () => Promise.resolve('free'))).resolves.toBe('free')
})
