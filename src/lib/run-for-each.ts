// Runs work for each of several items; an item that fails prevents no other.

/**
 * Calls `run` for each item, one after another, so that others write between them, and continues after a failure. Throws an
 * `AggregateError` of all failures, whose message names the first of their items.
 */
export async function runForEach<T>(
  items: Iterable<T>,
  nameOf: (item: T) => string,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const failures = new Map<T, unknown>()
  for (const item of items) await run(item).catch((error: unknown) => failures.set(item, error))
  if (failures.size === 0) return
  const named = [...failures.keys()].slice(0, namedMax).map(nameOf)
  if (failures.size > namedMax) named.push(`${failures.size - namedMax} more`)
  throw new AggregateError(failures.values(), `failed for ${named.join(', ')}`)
}

/** The same for tasks by their names. */
export function runEach(tasks: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  return runForEach(
    Object.entries(tasks),
    ([name]) => name,
    ([, task]) => task(),
  )
}

/** There may be thousands of companies. */
const namedMax = 10
