// The audit log, page by page, filtered by line, actor or action.
import type { AuditPage } from '../contract/administration.ts'
import { createActorNames } from '../actors.ts'
import { countIn, parseChoice, queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { auditActions, listAuditRows, type AuditRow } from '../../store/audit/audit.ts'

/** Entries, latest first; timestamps are microseconds. `next` is the next page's `before`, null at the end. */
export async function searchAudit({ store, request, companyId }: AppRequest, rowsMax: number): Promise<AuditPage> {
  const query = queryIn(request, parameters)
  const nameActor = await createActorNames(store, companyId)
  const matches = createFilter(query)
  const rows: AuditRow[] = []
  let next: number | null = countIn(query, 'before', Number.MAX_SAFE_INTEGER)
  for (let scanned = 0; next !== null && rows.length < rowsMax && scanned < scannedMax;) {
    const page: AuditRow[] = await listAuditRows(store, { companyId, before: next, top: pageRows })
    if (page.length < pageRows) next = null
    scanned += page.length
    for (const row of page) {
      const entry = { ...row, actor: nameActor(row.actor) }
      if (matches(entry)) rows.push(entry)
      if (rows.length < rowsMax) continue
      next = row.id
      break
    }
    if (rows.length < rowsMax && next !== null) next = page.at(-1)?.id ?? null
    await yieldToEventLoop()
  }
  return { rows, next }
}

/** A search with few matches stops here and continues with the next request, to limit its cost. */
const scannedMax = 10_000

const pageRows = 500

const parameters = ['before', 'line', 'actor', 'action', 'signIns'] as const

/** The filter of a search. An actor matches by a part of its display name; `signIns=without` leaves out signing in and out. */
function createFilter(query: Query): (row: AuditRow) => boolean {
  const line = countIn(query, 'line', undefined)
  const actorText = query.get('actor')?.toLowerCase() ?? ''
  const action = query.get('action') ?? ''
  if (action !== '') parseChoice(action, auditActions, 'action')
  const signIns = query.get('signIns') ?? ''
  if (signIns !== '') parseChoice(signIns, ['without'], 'signIns')
  return (row) =>
    (signIns === '' || (row.action !== 'sign-in' && row.action !== 'sign-out')) &&
    (action === '' || row.action === action) &&
    (actorText === '' || row.actor.toLowerCase().includes(actorText)) &&
    (line === undefined || isAbout(row, line))
}

/** Whether an entry contains the id of a line or its transaction; ids are stored as ranges, `3-5,9`. */
function isAbout({ target, data }: AuditRow, line: number): boolean {
  if (target !== materialTransaction.wire) return false
  const { ids = '' }: { ids?: string } = JSON.parse(data)
  return ids.split(',').some((run) => {
    const [first = '', last = first] = run.split('-')
    return first !== '' && Number(first) <= line && line <= Number(last)
  })
}
