// Anchors of audit logs: the lines that `dagsverk audit anchor` prints.
import { companyKey } from '../../store/accounts/companies.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'

export interface CompanyAnchors {
  /** As the last anchor spells it. */
  readonly company: string
  /** The hashes by entry id: an append must not replace what was anchored before. */
  readonly hashes: Map<number, Set<string>>
}

/** The anchors by `companyKey`, and the numbers of the lines that are no anchors, such as one that a crash has cut. */
export function readAuditAnchors(text: string): {
  readonly anchors: ReadonlyMap<string, CompanyAnchors>
  readonly brokenLines: readonly number[]
} {
  const anchors = new Map<string, CompanyAnchors>()
  const brokenLines: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const anchor = parseAnchor(line)
    if (anchor === null) {
      brokenLines.push(index + 1)
      continue
    }
    const { company, id, hash } = anchor
    const hashes = anchors.get(companyKey(company))?.hashes ?? new Map<number, Set<string>>()
    hashes.set(id, (hashes.get(id) ?? new Set<string>()).add(hash))
    anchors.set(companyKey(company), { company, hashes })
  }
  return { anchors, brokenLines }
}

/** The names of anchored companies that the database does not have. */
export function findMissingCompanies(
  anchors: ReadonlyMap<string, CompanyAnchors>,
  companies: readonly Pick<CompanyTable, 'name'>[],
): string[] {
  const present = new Set(companies.map(({ name }) => companyKey(name)))
  return [...anchors].flatMap(([key, { company }]) => (present.has(key) ? [] : [company]))
}

/** Says that a line of the file is no anchor. */
export function describeBrokenLine(file: string, line: number): string {
  return `${file}, line ${line}: not an anchor as "dagsverk audit anchor" prints it`
}

interface AuditAnchor {
  readonly company: string
  readonly id: number
  readonly hash: string
}

function parseAnchor(line: string): AuditAnchor | null {
  try {
    const { company, id, hash }: Partial<AuditAnchor> = JSON.parse(line)
    if (typeof company !== 'string' || typeof hash !== 'string') return null
    return typeof id === 'number' && Number.isSafeInteger(id) ? { company, id, hash } : null
  } catch {
    return null
  }
}
