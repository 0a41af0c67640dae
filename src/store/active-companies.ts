// Active companies: whether one company alone sends requests, because then nobody else waits for what it takes.

export class ActiveCompanies {
  #latest: number | null = null
  /** Whether a request came from another company than the one before, since the last check. */
  #hasChanged = false
  /** Runs until no other company had a request for a while; null: the latest one is alone. */
  #checks: NodeJS.Timeout | null = null

  /** Called for each request of a company. To set a timer again for each would cost more than the rest of this. */
  add(companyId: number): void {
    if (companyId === this.#latest) return
    if (this.#latest !== null) {
      this.#hasChanged = true
      this.#checks ??= setInterval(() => this.#check(), quietMs).unref()
    }
    this.#latest = companyId
  }

  /** Whether no other company had a request in the last second; that is noticed up to a second later. */
  isAlone(companyId: number): boolean {
    return this.#latest === companyId && this.#checks === null
  }

  #check(): void {
    if (!this.#hasChanged && this.#checks !== null) {
      clearInterval(this.#checks)
      this.#checks = null
    }
    this.#hasChanged = false
  }
}

const quietMs = 1000
