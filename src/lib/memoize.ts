// Memoization: computes the value of an object once.

/** Keeps each value as long as its object. */
export function memoize<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = { value: compute(key) }))
    return found.value
  }
}
