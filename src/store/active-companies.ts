// Active companies: whether one company alone sends requests, because then nobody else waits for what it takes.

export class ActiveCompanies {
  #latest: number | null = null
  /** Whether another company than the latest had a request since the last check. */
  #hasOthers = false
  #checks: NodeJS.Timeout | null = null

  /** Called for each request of a company. A timer that is set again for each one would cost more than the rest of this. */
  add(companyId: number): void {
    if (companyId === this.#latest) return
    if (this.#latest !== null) {
      this.#hasOthers = true
      this.#checks ??= setInterval(() => this.#check(), quietMs).unref()
    }
    this.#latest = companyId
  }

  /** Whether no other company had a request in the last second; where one had, for up to another second. */
  isAlone(companyId: number): boolean {
    return this.#latest === companyId && this.#checks === null
  }

  #check(): void {
    if (!this.#hasOthers && this.#checks !== null) {
      clearInterval(this.#checks)
      this.#checks = null
    }
    this.#hasOthers = false
  }
}

const quietMs = 1000
