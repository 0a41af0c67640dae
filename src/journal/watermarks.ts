// Watermarks of the export journal: the last journaled ledger entry and highest id per company.
import { isAct, type CompanyExtent, type JournalLine } from './record.ts'

/** Updated with each line that is read or written. */
export class Extents {
  readonly #companies = new Map<number, CompanyExtent>()

  add(line: JournalLine): void {
    if (line.kind === 'opening') for (const one of line.companies) this.#merge(one)
    else if (line.kind === 'ceiling') this.#merge({ ...line, through: 0 })
    else if (isAct(line)) this.#merge({ ...line, ceiling: 0 })
  }

  of(companyId: number): CompanyExtent {
    return this.#companies.get(companyId) ?? { companyId, through: 0, ceiling: 0 }
  }

  get all(): readonly CompanyExtent[] {
    return [...this.#companies.values()]
  }

  #merge({ companyId, through, ceiling }: CompanyExtent): void {
    const known = this.of(companyId)
    this.#companies.set(companyId, {
      companyId,
      through: Math.max(known.through, through),
      ceiling: Math.max(known.ceiling, ceiling),
    })
  }
}
