// Open snapshots: streams and worker reads, during which the write-ahead log cannot be reset.

export class OpenSnapshots {
  /** Functions that end the reads, of the oldest first. */
  readonly #ends = new Set<() => void>()
  readonly #onEmpty: () => void

  /** `onEmpty` is called when the last read is done. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  get isEmpty(): boolean {
    return this.#ends.size === 0
  }

  /** `end` closes the snapshot and fails its read. Returns the function that is called when the read is done. */
  add(end: () => void): () => void {
    this.#ends.add(end)
    return () => {
      this.#ends.delete(end)
      if (this.isEmpty) this.#onEmpty()
    }
  }

  /** Ends the oldest read, if there is one. */
  endOldest(): void {
    const [end] = this.#ends
    if (end === undefined) return
    this.#ends.delete(end)
    end()
  }
}
