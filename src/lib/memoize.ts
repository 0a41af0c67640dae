// Memoization: computes the value of an object once, or that of the same argument several times in a row.

/** Keeps each value as long as its object. */
export function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = { value: compute(key) }))
    return found.value
  }
}

/** Keeps the last result, for arguments that are often the same one after another. */
export function memoizeLast<Argument, Result>(compute: (argument: Argument) => Result): (argument: Argument) => Result {
  let last: { readonly argument: Argument; readonly result: Result } | null = null
  return (argument) => {
    if (last === null || last.argument !== argument) last = { argument, result: compute(argument) }
    return last.result
  }
}
