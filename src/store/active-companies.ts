// Active companies: whether one company alone sends requests, because then nobody else waits for what it takes.

export class ActiveCompanies {
  #latest: number | null = null
  /** Runs until no other company had a request for a while; null: the latest one is alone. */
  #untilAlone: NodeJS.Timeout | null = null

  /** Called for each request of a company. */
  add(companyId: number): void {
    if (companyId === this.#latest) return
    if (this.#untilAlone !== null) this.#untilAlone.refresh()
    else if (this.#latest !== null) this.#untilAlone = setTimeout(() => (this.#untilAlone = null), quietMs).unref()
    this.#latest = companyId
  }

  /** Whether no other company had a request in the last second. */
  isAlone(companyId: number): boolean {
    return this.#latest === companyId && this.#untilAlone === null
  }
}

const quietMs = 1000
