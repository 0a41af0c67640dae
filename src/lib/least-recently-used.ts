// Least-recently-used cache: a map with a maximum number of entries.

export class LeastRecentlyUsed<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #entriesMax: number
  /** The last entry is at the end already, and often requested again. */
  #last: { readonly key: Key; readonly value: Value } | null = null

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    if (this.#last?.key === key) return this.#last.value
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    // A map keeps insertion order, so reinserting moves the entry to the end.
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#last = { key, value }
    return value
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#last = { key, value }
    if (this.#entries.size > this.#entriesMax) this.#evictOldest()
  }

  delete(key: Key): void {
    this.#entries.delete(key)
    this.#last = null
  }

  #evictOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key)
      return
    }
  }
}
