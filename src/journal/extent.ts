// How much of each company's ledger is written down, and how far its ids may have come.
import { isAct, type CompanyExtent, type JournalLine } from '#journal/record.ts'

/** Grows with each line that is read or written. */
export class Extents {
  readonly #companies = new Map<number, Extent>()

  add(line: JournalLine): void {
    if (line.kind === 'begin') {
      for (const one of line.companies) this.#of(one.companyId).join(one)
      return
    }
    const extent = this.#of(line.companyId)
    if (line.kind === 'ceiling') extent.ceiling = Math.max(extent.ceiling, line.ceiling)
    if (isAct(line)) for (const { ledger } of line.entries) extent.add(ledger)
  }

  /** Every ledger number of the company up to this one is written down. */
  completeOf(companyId: number): number {
    return this.#companies.get(companyId)?.complete ?? 0
  }

  has(companyId: number, ledger: number): boolean {
    return this.#companies.get(companyId)?.has(ledger) ?? false
  }

  get all(): readonly CompanyExtent[] {
    return [...this.#companies].map(([companyId, { complete, highest, ceiling }]) => ({
      companyId,
      complete,
      highest,
      ceiling,
    }))
  }

  #of(companyId: number): Extent {
    let extent = this.#companies.get(companyId)
    if (extent === undefined) this.#companies.set(companyId, (extent = new Extent()))
    return extent
  }
}

/** Several servers write one ledger, each in its own file: numbers come out of their order. */
class Extent {
  complete = 0
  highest = 0
  ceiling = 0
  readonly #beyond = new Set<number>()

  has(ledger: number): boolean {
    return ledger <= this.complete || this.#beyond.has(ledger)
  }

  add(ledger: number): void {
    if (this.has(ledger)) return
    this.highest = Math.max(this.highest, ledger)
    this.#beyond.add(ledger)
    this.#close()
  }

  join({ complete, highest, ceiling }: CompanyExtent): void {
    this.complete = Math.max(this.complete, complete)
    this.highest = Math.max(this.highest, highest)
    this.ceiling = Math.max(this.ceiling, ceiling)
    for (const ledger of this.#beyond) if (ledger <= this.complete) this.#beyond.delete(ledger)
    this.#close()
  }

  #close(): void {
    while (this.#beyond.delete(this.complete + 1)) this.complete++
  }
}
