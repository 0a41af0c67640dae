// Active companies: whether one company alone sends requests, because then nobody else waits for what it takes.
import type { CompanyId } from '../engine/model/resource.ts'

export class ActiveCompanies {
  #latest: CompanyId | null = null
  /** When another company had the request before those of the latest one, in milliseconds. */
  #latestSince = -Infinity

  /** Called for each request of a company. */
  add(companyId: CompanyId): void {
    if (companyId === this.#latest) return
    if (this.#latest !== null) this.#latestSince = performance.now()
    this.#latest = companyId
  }

  /** Whether no other company had a request in the last second. */
  isAlone(companyId: CompanyId): boolean {
    return this.#latest === companyId && performance.now() - this.#latestSince > quietMs
  }
}

const quietMs = 1000
