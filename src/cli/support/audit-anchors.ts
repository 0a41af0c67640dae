// Anchors of audit logs: the lines that `dagsverk audit anchor` prints.
import { usageError } from '../../lib/operator-error.ts'
import { companyKey } from '../../store/accounts/companies.ts'

/** The hashes by entry id, by `companyKey`. Throws an `OperatorError` that names the first line that is no anchor. */
export function readAuditAnchors(text: string, file: string): Map<string, Map<number, string>> {
  const anchors = new Map<string, Map<number, string>>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const anchor = parseAnchor(line)
    if (anchor === null)
      throw usageError(
        `${file}, line ${index + 1}: not an anchor as "dagsverk audit anchor" prints it.`,
      )
    const key = companyKey(anchor.company)
    const ofCompany = anchors.get(key) ?? new Map<number, string>()
    anchors.set(key, ofCompany.set(anchor.id, anchor.hash))
  }
  return anchors
}

interface AuditAnchor {
  readonly company: string
  readonly id: number
  readonly hash: string
}

function parseAnchor(line: string): AuditAnchor | null {
  try {
    const value: unknown = JSON.parse(line)
    return isAnchor(value) ? value : null
  } catch {
    return null
  }
}

function isAnchor(value: unknown): value is AuditAnchor {
  return (
    typeof value === 'object' &&
    value !== null &&
    'company' in value &&
    typeof value.company === 'string' &&
    'id' in value &&
    Number.isSafeInteger(value.id) &&
    'hash' in value &&
    typeof value.hash === 'string'
  )
}
