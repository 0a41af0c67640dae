import { expect, test } from 'vitest'
import type { ApiError } from '../../errors/api-error.ts'
import { HashQueue, type CallerTrust } from './hash-queue.ts'

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
  const queue = new HashQueue({ runningMax: 2, waitingMax: 10, rejectionMs: 0 })
  const { work, endAll, runningMost } = works()
  const done: number[] = []
  const all = Array.from({ length: 8 }, (_, n) => queue.run('unknown', work).then(() => done.push(n)))
  await endAll()
  await Promise.all(all)
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(runningMost()).toBe(2)
})

test('recognized callers go before known networks, and these before unknown ones', async () => {
  const queue = new HashQueue({ runningMax: 1, waitingMax: 10, rejectionMs: 0 })
  const { work, endAll } = works()
  const done: string[] = []
  const run = (trust: CallerTrust, name: string) => queue.run(trust, work).then(() => done.push(name))
  const all = [
    run('unknown', 'running'),
    run('unknown', 'unknown 1'),
    run('knownNetwork', 'network'),
    run('unknown', 'unknown 2'),
    run('recognized', 'recognized 1'),
    run('recognized', 'recognized 2'),
  ]
  expect([queue.running, queue.waiting]).toEqual([1, 5])
  await endAll()
  await Promise.all(all)
  expect(done).toEqual(['running', 'recognized 1', 'recognized 2', 'network', 'unknown 1', 'unknown 2'])
})

test('in a full queue a more trusted caller takes the last position of the least trusted ones', async () => {
  const queue = new HashQueue({ runningMax: 1, waitingMax: 3, rejectionMs: 0 })
  const { work, endAll } = works()
  const outcomes = new Map<string, string>()
  const run = (trust: CallerTrust, name: string) =>
    queue.run(trust, work).then(
      () => outcomes.set(name, 'done'),
      (error: ApiError) => outcomes.set(name, error.code),
    )
  const all = [
    run('unknown', 'running'),
    run('unknown', 'first'),
    run('knownNetwork', 'network'),
    run('unknown', 'second'),
    run('unknown', 'too late'),
    run('knownNetwork', 'network instead of second'),
    run('recognized', 'recognized instead of first'),
    run('unknown', 'too late again'),
  ]
  expect([queue.running, queue.waiting]).toEqual([1, 3])
  await endAll()
  await Promise.all(all)
  expect(Object.fromEntries(outcomes)).toEqual({
    running: 'done',
    first: 'Overloaded',
    network: 'done',
    second: 'Overloaded',
    'too late': 'Overloaded',
    'network instead of second': 'done',
    'recognized instead of first': 'done',
    'too late again': 'Overloaded',
  })
})

test('failing work frees its slot', async () => {
  const queue = new HashQueue({ runningMax: 1, waitingMax: 3, rejectionMs: 0 })
  const failing = queue.run('unknown', () => Promise.reject(new Error('broken hash')))
  const next = queue.run('unknown', () => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken hash')
  await expect(next).resolves.toBe('done')
  await expect(queue.run('unknown', () => Promise.resolve('free'))).resolves.toBe('free')
})
