// The text of long lists, which is built in turns of the event loop.
import { array, assert, asyncProperty, string } from 'fast-check'
import { expect, test, vi } from 'vitest'
import { ListWriter, serializeList } from './long-list.ts'

const frame = { start: '[', between: ',', end: ']' }

function serializeTexts(items: string[]) {
  return serializeList(items, new ListWriter(items.length, (item: string) => item, frame))
}

test('a long list has the text of every item, whether later items are shorter or longer than the first', async () => {
  const texts = array(string({ unit: 'grapheme', maxLength: 40 }), { minLength: 501, maxLength: 3000 })
  await assert(
    asyncProperty(texts, async (items) => {
      const body = await serializeTexts(items)
      expect(body.toString()).toBe(`[${items.join(',')}]`)
    }),
    { numRuns: 20 },
  )
  const rising = Array.from({ length: 5000 }, (_, index) => 'å'.repeat(index / 50))
  expect((await serializeTexts(rising)).toString()).toBe(`[${rising.join(',')}]`)
})

test('a long list of items of one length is encoded once, without copies of the body', async () => {
  const items = Array.from({ length: 20_000 }, (_, index) => `item ${10_000 + index}`)
  const concat = vi.spyOn(Buffer, 'concat')
  const copy = vi.spyOn(Buffer.prototype, 'copy')
  await serializeTexts(items)
  expect(concat).not.toHaveBeenCalled()
  // The first buffer, which is empty.
  expect(copy).toHaveBeenCalledTimes(1)
  vi.restoreAllMocks()
})
