// Watermarks of the export journal: the last journaled ledger entry and highest id per company.
import { isAction, type CompanyWatermark, type JournalLine } from './record.ts'

/** Updated with each line that is read or written. */
export class Watermarks {
  readonly #companies = new Map<number, CompanyWatermark>()

  add(line: JournalLine): void {
    if (line.kind === 'opening') for (const one of line.companies) this.#merge(one)
    else if (line.kind === 'ceiling') this.#merge({ ...line, through: 0 })
    else if (isAction(line)) this.#merge({ ...line, ceiling: 0 })
  }

  get(companyId: number): CompanyWatermark {
    return this.#companies.get(companyId) ?? { companyId, through: 0, ceiling: 0 }
  }

  get all(): readonly CompanyWatermark[] {
    return [...this.#companies.values()]
  }

  #merge({ companyId, through, ceiling }: CompanyWatermark): void {
    const known = this.get(companyId)
    this.#companies.set(companyId, {
      companyId,
      through: Math.max(known.through, through),
      ceiling: Math.max(known.ceiling, ceiling),
    })
  }
}
