// Transaction batch: operations that share a transaction, behind savepoints after one has failed.
import type { Awaitable } from './store.ts'

/** A queued operation. `run` returns the function that resolves its promise after the commit. */
export interface PendingOperation<Context> {
  readonly run: (context: Context) => Awaitable<() => void>
  readonly fail: (error: unknown) => void
}

/** Savepoints of a transaction; rolling back restores the sequences too. */
export interface Savepoints {
  set(): Promise<void> | void
  release(): Promise<void> | void
  rollBack(): Promise<void> | void
}

/** An operation failed: the transaction is rolled back, and the other operations have to be run again without it. */
export class OperationFailed extends Error {
  constructor(cause: unknown) {
    super('an operation of a batch failed', { cause })
  }
}

/** Runs all operations without savepoints; nearly every batch succeeds. Throws `OperationFailed` at the first error. */
export async function runBatch<Context>(
  operations: readonly PendingOperation<Context>[],
  context: Context,
): Promise<(() => void)[]> {
  const completions: (() => void)[] = []
  for (const operation of operations) {
    try {
      completions.push(await operation.run(context))
    } catch (error) {
      throw new OperationFailed(error)
    }
  }
  return completions
}

/** Runs each operation behind a savepoint, so that one can fail without the others. */
export async function runWithSavepoints<Context>(
  operations: readonly PendingOperation<Context>[],
  context: Context,
  savepoints: Savepoints,
): Promise<(() => void)[]> {
  const completions: (() => void)[] = []
  for (const operation of operations) {
    await savepoints.set()
    try {
      const complete = await operation.run(context)
      await savepoints.release()
      completions.push(complete)
    } catch (error) {
      await savepoints.rollBack()
      completions.push(() => operation.fail(error))
    }
  }
  return completions
}
