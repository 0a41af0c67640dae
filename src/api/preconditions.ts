// `If-Match` and `If-None-Match` on a write: the record must be the one that its caller has read (RFC 9110, 13.1).
import { Fault } from '#faults.ts'
import type { Request } from '#http/request.ts'
import { splitOutsideQuotes } from '#wire/header-list.ts'

/** What tells one state of a record from another: no two changes of a company have one stamp. */
export const etagOf = (changedAt: number): string => `W/"${changedAt}"`

/**
 * Throws `PreconditionFailed` where the record as it is stored is not wanted. A weak tag does: what differs
 * between two answers of one state is the choice of fields alone.
 */
export const requireWanted = (request: Request, changedAt: unknown): void => {
  const tag = etagOf(Number(changedAt))
  const match = request.header('if-match')
  if (match !== undefined && !names(match, tag)) throw refusal('If-Match')
  const noneMatch = request.header('if-none-match')
  if (noneMatch !== undefined && names(noneMatch, tag)) throw refusal('If-None-Match')
}

const names = (header: string, tag: string): boolean =>
  splitOutsideQuotes(header, ',').some((one) => {
    const named = one.trim()
    return named === '*' || withoutWeakness(named) === withoutWeakness(tag)
  })

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '')

const refusal = (header: string): Fault =>
  new Fault('PreconditionFailed', { target: `header:${header}`, says: { header } })
