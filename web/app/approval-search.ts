// Approval search: the filter in the URL of the approvals screen, whose first reply is requested while its code loads.
import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '../../src/app/contract/session.ts'
import type { LineState } from '../../src/app/contract/approvals.ts'
import { approvalsQuery, groupings, type ApprovalListFilter } from '../api/approvals.ts'
import { readCachedText } from '../api/local-cache.ts'
import { sessionQuery } from '../api/session.ts'
import { day, flag, groupingParams, number, oneOf, parseSearch, sortParam, text, toLineOrder } from './search-params.ts'

export const listNames = ['venter', 'godkjent', 'avvist', 'eksportert'] as const

/** Of the lines of a list. */
export const listStates = {
  venter: 'registered',
  godkjent: 'approved',
  avvist: 'rejected',
  eksportert: 'exported',
} as const satisfies Record<(typeof listNames)[number], LineState>

export const parseApprovalSearch = parseSearch({
  liste: oneOf(...listNames),
  gruppe: oneOf(...Object.values(groupingParams)),
  fra: day,
  til: day,
  avd: text,
  prosjekt: text,
  ansatt: text,
  kilde: text,
  sok: text,
  sorter: sortParam,
  avvik: flag,
  /** Selects lines initially: all, or those without anomalies. */
  merket: oneOf(true, 'uten-avvik'),
  /** Opens a line. */
  linje: number,
})

export function toApprovalFilter(search: ReturnType<typeof parseApprovalSearch>): ApprovalListFilter {
  const isExported = search.liste === 'eksportert'
  return {
    state: listStates[search.liste ?? 'venter'],
    group: groupings.find((one) => groupingParams[one] === search.gruppe) ?? 'project',
    from: search.fra,
    to: search.til,
    department: search.avd,
    project: search.prosjekt,
    employee: search.ansatt,
    source: search.kilde,
    search: isExported ? undefined : search.sok,
    sort: isExported ? undefined : toLineOrder(search.sorter),
  }
}

/** Only with a session that may read them, as far as this browser knows; what is shown already is not fetched again. */
export async function prefetchApprovals(client: QueryClient, filter: ApprovalListFilter): Promise<void> {
  const session: Session | null =
    client.getQueryData(sessionQuery.queryKey) ?? JSON.parse(readCachedText('session') ?? 'null')
  if (session?.scopes.includes('material:read') !== true) return
  // The screen shows the error.
  await client.ensureQueryData(approvalsQuery(filter)).catch(() => undefined)
}
