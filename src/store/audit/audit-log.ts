// Audit log of a company for display, the latest entry first.
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader } from '../store.ts'
import type { AuditTable } from '../tables/operations.ts'

export type AuditRow = Omit<AuditTable, 'companyId' | 'previousHash'>

/** At most `top` entries with ids below `before`. */
export function listAuditRows(
  reader: Reader,
  companyId: CompanyId,
  page: { readonly before: number; readonly top: number },
): Awaitable<AuditRow[]> {
  return reader.all(auditStatement, { companyId, ...page })
}

const auditStatement = statement<AuditRow>(({ db, value }) =>
  db
    .selectFrom('audit')
    .select(['id', 'at', 'actor', 'action', 'target', 'requestId', 'data', 'hash'])
    .where('companyId', '=', value('companyId'))
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(value('top')),
)
