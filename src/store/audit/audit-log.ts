// Audit log of a company for display, the latest entry first.
import { rowsQuery } from '../queries.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { AuditTable } from '../tables/operations.ts'

export type AuditRow = Omit<AuditTable, 'companyId' | 'previousHash'>

/** At most `top` entries with ids below `before`. */
export const listAuditRows = rowsQuery<{ companyId: CompanyId; before: number; top: number }, AuditRow>(
  ({ db, value }) =>
    db
      .selectFrom('audit')
      .select(['id', 'at', 'actor', 'action', 'target', 'requestId', 'data', 'hash'])
      .where('companyId', '=', value('companyId'))
      .where('id', '<', value('before'))
      .orderBy('id', 'desc')
      .limit(value('top')),
)
