// Pipelined batch: operations that start before the replies to those in front of them (PostgreSQL's pipeline mode).
import { OperationFailed, type PendingOperation } from '../transaction-batch.ts'

/** An operation needs more statements than the one that it has sent, and others have started: they have to run one by one. */
export class StartedTooEarly extends Error {
  constructor() {
    super('the next operation of the batch has started')
  }
}

/** The operations of one transaction. Without replies in between they share a message. */
export class PipelinedBatch {
  #started = 0
  #mayNextStart = false

  /** `Transaction.letNextStart` of these operations. */
  readonly letNextStart = (): (() => void) => {
    const started = this.#started
    this.#mayNextStart = true
    return () => {
      if (this.#started > started) throw new StartedTooEarly()
    }
  }

  /**
   * Runs them in order. Throws `StartedTooEarly`, or `OperationFailed` with the first error, after all that have started have
   * ended: none of them sends a statement after the rollback.
   */
  async run<Context>(operations: readonly PendingOperation<Context>[], context: Context): Promise<(() => void)[]> {
    const completions: (() => void)[] = []
    let running: Promise<() => void>[] = []
    const awaitRunning = async () => {
      completions.push(...(await Promise.all(running)))
      running = []
    }
    try {
      for (const operation of operations) {
        this.#started += 1
        this.#mayNextStart = false
        running.push(Promise.resolve(operation.run(context)))
        // What an operation says after its first await comes too late, and changes nothing.
        if (!this.#mayNextStart) await awaitRunning()
      }
      await awaitRunning()
      return completions
    } catch (error) {
      const errors = (await Promise.allSettled(running)).flatMap((one): unknown[] =>
        one.status === 'rejected' ? [one.reason] : [],
      )
      throw errors.find((one) => one instanceof StartedTooEarly) ?? new OperationFailed(errors[0] ?? error)
    }
  }
}
