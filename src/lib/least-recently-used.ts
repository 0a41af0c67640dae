// A bounded map that forgets what was asked for longest ago.

export class LeastRecentlyUsed<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #entriesMax: number
  /** What was asked for last stands at the end already, and is often asked for again. */
  #last: { readonly key: Key; readonly value: Value } | null = null

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get(key: Key): Value | undefined {
    if (this.#last?.key === key) return this.#last.value
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    // A map keeps the order of insertion: what is asked for goes to the end.
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#last = { key, value }
    return value
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    this.#last = { key, value }
    if (this.#entries.size > this.#entriesMax) this.#forgetOldest()
  }

  delete(key: Key): void {
    this.#entries.delete(key)
    this.#last = null
  }

  #forgetOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key)
      return
    }
  }
}
