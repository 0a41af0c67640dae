import { expect, test } from 'vitest'
import { runForEach } from './run-for-each.ts'

test('every item is run although others fail, and the error names the first ten and counts the others', async () => {
  const run: number[] = []
  const items = Array.from({ length: 13 }, (_, index) => index)
  const failed = runForEach(
    items,
    (item) => `item ${item}`,
    async (item) => {
      run.push(item)
      if (item > 0) throw new Error(`reason ${item}`)
    },
  )
  const first = Array.from({ length: 10 }, (_, index) => `item ${index + 1}`).join(', ')
  await expect(failed).rejects.toThrow(`failed for ${first}, 2 more`)
  await expect(failed).rejects.toHaveProperty('errors.length', 12)
  expect(run).toEqual(items)
})
