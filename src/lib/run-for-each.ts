// Runs work for each of several items; an item that fails prevents no other.

/**
 * Runs it for one item after another, so that others write between them. Throws an `AggregateError` of all failures, whose
 * message names their items.
 */
export async function runForEach<T>(
  items: Iterable<T>,
  nameOf: (item: T) => string,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const failures = new Map<T, unknown>()
  for (const item of items) await run(item).catch((error: unknown) => failures.set(item, error))
  if (failures.size === 0) return
  throw new AggregateError(failures.values(), `failed for ${[...failures.keys()].map(nameOf).join(', ')}`)
}
