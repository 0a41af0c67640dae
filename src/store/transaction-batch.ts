// Acts that share one transaction: tried together at first, and one by one behind savepoints when one fails.

/** An act in a queue: how to run it, giving how to answer it once the commit is through. */
export interface WaitingAct<Context> {
  readonly run: (context: Context) => Promise<() => void>
  readonly fail: (error: unknown) => void
}

/** Where a transaction can go back to; what an act did to the counters goes back with it. */
export interface Savepoints {
  set(): Promise<void> | void
  release(): Promise<void> | void
  rollBack(): Promise<void> | void
}

/** An act's own error: the transaction is undone, and its neighbours have to be run again without it. */
export class ActFailed extends Error {
  constructor(cause: unknown) {
    super('an act of a group failed', { cause })
  }
}

/** Runs them all in a row; nearly every group goes well. Throws `ActFailed` at the first error. */
export async function runTogether<Context>(
  acts: readonly WaitingAct<Context>[],
  context: Context,
): Promise<(() => void)[]> {
  const answers: (() => void)[] = []
  for (const act of acts) {
    try {
      answers.push(await act.run(context))
    } catch (error) {
      throw new ActFailed(error)
    }
  }
  return answers
}

/** Each behind a savepoint, so that one can fail without its neighbours. */
export async function runGuarded<Context>(
  acts: readonly WaitingAct<Context>[],
  context: Context,
  savepoints: Savepoints,
): Promise<(() => void)[]> {
  const answers: (() => void)[] = []
  for (const act of acts) {
    await savepoints.set()
    try {
      answers.push(await act.run(context))
      await savepoints.release()
    } catch (error) {
      await savepoints.rollBack()
      answers.push(() => act.fail(error))
    }
  }
  return answers
}
