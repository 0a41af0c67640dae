// Who did what, for those whose work it is to look: the audit, page by page.
import { actorNames } from '#app/actors.ts'
import { json, type Asked } from '#app/route.ts'
import { Fault } from '#faults.ts'
import type { Reply } from '#http/request.ts'
import { knownParameters, parseQuery } from '#odata/query.ts'
import { auditRows } from '#store/audit-log.ts'

/** Entries below the number `before`, a hundred at a time; stamps are microseconds. */
export const auditLog = async ({ store, request, visitor }: Asked): Promise<Reply> => {
  const text = parseQuery(request.search, knownParameters(['before'], 'refused')).get('before')
  if (text !== undefined && !/^\d{1,15}$/.test(text))
    throw new Fault('InvalidTop', { target: 'before', says: { name: 'before' } })
  const before = text === undefined ? Number.MAX_SAFE_INTEGER : Number(text)
  const rows = await auditRows(store, visitor.caller.companyId, { before, top: pageRows })
  const name = await actorNames(store, visitor)
  return json({ rows: rows.map((row) => ({ ...row, actor: name(row.actor) })) })
}

const pageRows = 100
