// Deletion of many rows in chunks, so that no statement deletes many.
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { crossCompanyStatement, type BuildStatement } from './statement.ts'
import type { Awaitable, Store } from './store.ts'

/** Calls `deleteChunk`, which deletes at most `limit` rows and returns one row for each, until none are left. */
export async function deleteInChunks(deleteChunk: (limit: number) => Awaitable<readonly unknown[]>): Promise<void> {
  while ((await deleteChunk(chunkRows)).length === chunkRows) await yieldToEventLoop()
}

/** Deletes rows from before a time, in microseconds, by a statement that returns a row for each of at most `limit` rows. */
export function deletionBefore(build: BuildStatement<{ before: number; limit: number }>) {
  const deleteStatement = crossCompanyStatement<unknown>(build)
  return (store: Store, before: number) =>
    deleteInChunks((limit) => store.inSystemTransaction((writer) => writer.all(deleteStatement, { before, limit })))
}

/** Deleting this many takes some milliseconds. */
const chunkRows = 2000
