// Open snapshots: streams and worker reads, during which the write-ahead log cannot be reset.

interface OpenSnapshotsOptions {
  /** Before a read that is the only one. */
  readonly beforeFirst: () => Promise<void>
  /** When the last read is done. */
  readonly onEmpty: () => void
}

export class OpenSnapshots {
  /** Functions that end the reads, of the oldest first. */
  readonly #ends = new Set<() => void>()
  readonly #options: OpenSnapshotsOptions

  constructor(options: OpenSnapshotsOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#ends.size === 0
  }

  /** Resolves when the next read may begin. */
  async prepare(): Promise<void> {
    if (this.isEmpty) await this.#options.beforeFirst()
  }

  /** `end` closes the snapshot and fails its read. Returns the function that is called when the read is done. */
  add(end: () => void): () => void {
    this.#ends.add(end)
    return () => {
      this.#ends.delete(end)
      if (this.isEmpty) this.#options.onEmpty()
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
