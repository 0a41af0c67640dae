// Chunks of a streamed result: small, because what waits for garbage collection costs memory too.
import type { SqlValue } from '../engine/sql/dialect.ts'

/** The maximum rows of a chunk; other requests are served between two chunks. */
const chunkRowsMax = 500

/** A chunk of this length is full. With twice as much, the memory of a stream was half as large again (measured). */
const chunkCharacters = 16_384

/** The characters of a row that is one text; 0 for other rows. */
export function rowLength([first]: readonly SqlValue[]): number {
  return typeof first === 'string' ? first.length : 0
}

export function isChunkFull(rows: number, length: number): boolean {
  return rows >= chunkRowsMax || length >= chunkCharacters
}

/** How many rows the next chunk should have, where rows are as long as these. */
export function nextChunkRows(rows: readonly (readonly SqlValue[])[]): number {
  const length = rows.reduce((sum, row) => sum + rowLength(row), 0)
  const fitting = Math.ceil((rows.length * chunkCharacters) / Math.max(1, length))
  return Math.min(chunkRowsMax, Math.max(1, fitting))
}
