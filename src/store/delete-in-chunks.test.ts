import { expect, test } from 'vitest'
import { deleteInChunks } from './delete-in-chunks.ts'

test('rows are deleted in chunks until none are left', async () => {
  let rows = 4500
  const chunks: number[] = []
  await deleteInChunks((limit) => {
    const deleted = Math.min(limit, rows)
    rows -= deleted
    chunks.push(deleted)
    return Array<number>(deleted).fill(1)
  })
  expect(chunks).toEqual([2000, 2000, 500])
})
