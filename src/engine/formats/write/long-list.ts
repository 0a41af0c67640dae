// Serializer of long lists, in turns of the event loop.
import { forEachChunk } from '../../../lib/yield-to-event-loop.ts'

/** A serialized body; a long one is a buffer. */
export type SerializedText = string | Buffer

/** What is written around the items of a list, and between them. */
export interface ListFrame {
  readonly start: string
  readonly between: string
  readonly end: string
}

/** In turns of the event loop. */
export async function serializeList<Item>(items: readonly Item[], writer: ListWriter<Item>): Promise<SerializedText> {
  await forEachChunk(items, chunkItems, (chunk) => writer.add(chunk))
  return writer.end()
}

/**
 * Encodes each chunk of a long list at once, so that its strings are garbage before the next chunk: keeping the strings
 * of a whole list caused GC pauses of up to 96 ms with 100,000 rows. All chunks go into one buffer of the
 * expected length: joining them at the end copied 13 MB in one turn.
 */
export class ListWriter<Item> {
  readonly #length: number
  readonly #write: (item: Item) => string
  readonly #frame: ListFrame
  #written = 0
  /** Of a short list. */
  #text = ''
  #body = noBytes
  #bodyLength = 0

  /** `length` is the number of all items. */
  constructor(length: number, write: (item: Item) => string, frame: ListFrame) {
    this.#length = length
    this.#write = write
    this.#frame = frame
  }

  /** The next items, at most `chunkItems`. */
  add(items: readonly Item[]): void {
    const { start, between } = this.#frame
    const before = this.#written === 0 ? start : between
    const text = items.map(this.#write).join(between)
    this.#written += items.length
    if (this.#length <= chunkItems) this.#text += before + text
    // The parts are not joined, which would copy the text of the chunk.
    else this.#encode(before, text)
  }

  /** The whole list, which is no longer than `length`. */
  end(): SerializedText {
    const { start, end } = this.#frame
    const last = this.#written === 0 ? start + end : end
    if (this.#length <= chunkItems) return this.#text + last
    this.#encode(last)
    return this.#body.subarray(0, this.#bodyLength)
  }

  #encode(...parts: readonly string[]): void {
    const needed = parts.reduce((sum, part) => sum + Buffer.byteLength(part), this.#bodyLength)
    if (needed > this.#body.length)
      this.#body = enlarge(this.#body, Math.ceil(needed * expectedGrowth * (this.#length / Math.max(1, this.#written))))
    for (const part of parts) this.#bodyLength += this.#body.write(part, this.#bodyLength)
  }
}

/** The system provides the memory of a large buffer page by page, as it is written. */
function enlarge(body: Buffer, length: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(length)
  body.copy(larger)
  return larger
}

const noBytes: Buffer = Buffer.alloc(0)

/** Takes some 0.3 ms. */
export const chunkItems = 500

/** Later items may be longer than the first. */
const expectedGrowth = 1.25
