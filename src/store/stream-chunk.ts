// A long answer is read and sent in pieces, none of them large: what waits to be collected costs memory, too.
import type { SqlValue } from '../engine/sql/dialect.ts'

/** So many rows at most, however short; between two pieces other callers are served. */
const pieceRowsMax = 500

/** A piece that has so many characters is long enough. Of twice as much, a stream's memory rose by half (measured). */
const pieceLength = 16_384

/** Characters of a row: all of them where it is one text. */
export function lengthOf([first]: readonly SqlValue[]): number {
  return typeof first === 'string' ? first.length : 0
}

export function isPiece(rows: number, length: number): boolean {
  return rows >= pieceRowsMax || length >= pieceLength
}

/** How many rows the next piece should have, where rows are as long as these. */
export function nextPieceRows(rows: readonly (readonly SqlValue[])[]): number {
  const length = rows.reduce((sum, row) => sum + lengthOf(row), 0)
  const fitting = Math.ceil((rows.length * pieceLength) / Math.max(1, length))
  return Math.min(pieceRowsMax, Math.max(1, fitting))
}
