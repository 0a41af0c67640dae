// Least-recently-used cache: a map that drops the entries that were not read for the longest time.

/**
 * Keeps the `entriesMin` entries that were set or read last, and up to as many others. Moving an entry with each read would cost
 * more than finding it: an entry of `#older` that is read moves to `#recent`, and when that is full, the rest of `#older` is dropped.
 */
export class LeastRecentlyUsed<Key, Value> {
  readonly #entriesMin: number
  #recent = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  constructor(entriesMin: number) {
    this.#entriesMin = entriesMin
  }

  get isEmpty(): boolean {
    return this.#recent.size + this.#older.size === 0
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, value: Value): void {
    this.#recent.set(key, value)
    if (this.#recent.size < this.#entriesMin) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  delete(key: Key): void {
    this.#recent.delete(key)
    this.#older.delete(key)
  }
}
