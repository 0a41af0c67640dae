// Active companies: whether one company alone sends requests, because then nobody else waits for what it takes.

export class ActiveCompanies {
  #latest: number | null = null
  /** When a request came from another company than the one before. */
  #changedAtMs = 0
  /** Runs until no other company had a request for a while; null: the latest one is alone. */
  #untilAlone: NodeJS.Timeout | null = null

  /** Called for each request of a company. The time is cheaper to read than a timer to set again. */
  add(companyId: number): void {
    if (companyId === this.#latest) return
    if (this.#latest !== null) {
      this.#changedAtMs = performance.now()
      this.#untilAlone ??= this.#wait(quietMs)
    }
    this.#latest = companyId
  }

  /** Whether no other company had a request in the last second. */
  isAlone(companyId: number): boolean {
    return this.#latest === companyId && this.#untilAlone === null
  }

  #wait(ms: number): NodeJS.Timeout {
    const check = () => {
      const leftMs = quietMs - (performance.now() - this.#changedAtMs)
      this.#untilAlone = leftMs > 0 ? this.#wait(leftMs) : null
    }
    return setTimeout(check, ms).unref()
  }
}

const quietMs = 1000
