// Shared execution: calls that arrive while a task runs get its result.

/** Creates a function that starts the task, unless it is running. */
export function shareRunning<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}
