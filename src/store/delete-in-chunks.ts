// Deletion of many rows in chunks, so that no statement deletes many.
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { Awaitable } from './store.ts'

/** Calls `deleteChunk`, which deletes at most `limit` rows and returns one row for each, until none are left. */
export async function deleteInChunks(deleteChunk: (limit: number) => Awaitable<readonly unknown[]>): Promise<void> {
  while ((await deleteChunk(chunkRows)).length === chunkRows) await yieldToEventLoop()
}

/** Deleting this many takes some milliseconds. */
const chunkRows = 2000
