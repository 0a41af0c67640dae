// Data quality of revenue: gaps, duplicate records and unknown department codes, and fixing them.
import { actorNames } from '../actors.ts'
import { invalid, numberIn } from '../audited-action.ts'
import { readFields, textIn } from '../body.ts'
import { dayAt, plusDays } from '../date-range.ts'
import { requireDepartment } from './revenue-cells.ts'
import { kindIn, untidy } from './revenue-overview.ts'
import { json, type Asked } from '../route.ts'
import { deedOf } from '../../auth/action-context.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { department } from '../../model/directory.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { deleteRevenue } from '../../revenue/delete.ts'
import { forLongLists } from '../../revenue/long-list.ts'
import { saveRevenues } from '../../revenue/save-list.ts'
import { existingKeys } from '../../store/directory/directory-records.ts'
import { logOfCell, recordIdsOf } from '../../store/revenue/revenue-sums.ts'
import { revenuesById } from '../../store/revenue/revenues.ts'

/** The findings of the last five weeks. The first twenty unknown codes have their last sender. */
export async function revenueTidying({ store, request, visitor, today }: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  const query = parseQuery(request.search, knownParameters(['kind'], 'refused'))
  const kind = kindIn(query.get('kind'))
  const day = today(company.zone)
  const found = await untidy(store, companyId, kind, { yesterday: plusDays(day, -1), day })
  const name = await actorNames(store, visitor)
  const unknown = await Promise.all(
    found.unknown.map(async (code, index) => {
      const cell = { date: code.last, departmentId: code.departmentId, kind }
      const [latest] = index < sendersMax ? await logOfCell(store, companyId, cell) : []
      return { ...code, actor: name(latest?.actor ?? null), at: latest?.at ?? null }
    }),
  )
  return json({ ...found, unknown })
}

const sendersMax = 20

/** `before` is the timestamp that the page showed; a record that has changed since stays, 412 `ChangedMeanwhile`. */
export async function removeRevenueRecord(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const fields = await readFields(request)
  const id = numberIn(fields, 'id')
  const before = textIn(fields, 'before')
  const deed = deedOf(visitor.caller, request.id, clock())
  await store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const stored = (await revenuesById(transaction, [id])).get(id)
    if (stored === undefined) throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
    requireDepartment(visitor, stored.departmentId ?? '')
    if (String(stored.changedAt) !== before)
      throw new Fault('ChangedMeanwhile', {
        target: 'before',
        says: { what: String(id), actor: phrase('somebodyElse') },
      })
    await deleteRevenue(transaction, id, deed)
  })
  return json({ id })
}

/** Moves all records of a code within a date range to an existing department. */
export async function moveRevenueCode(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const fields = await readFields(request)
  const from = fields.get('from') ?? ''
  const to = textIn(fields, 'to')
  const days = {
    first: dayAt(fields.get('first'), 'first'),
    last: dayAt(fields.get('last'), 'last'),
  }
  const kind = kindIn(fields.get('kind'))
  for (const code of [from, to]) requireDepartment(visitor, code)
  const deed = deedOf(visitor.caller, request.id, clock())
  return store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const known = await existingKeys(transaction, department, [to])
    if (!known.has(to)) throw invalid('to', phrase('noSuchChoice'))
    const ids = await recordIdsOf(transaction, { departmentId: from, kind, ...days })
    const rows = ids.map((id, index) => ({ place: `[${index}]`, values: { id, departmentId: to } }))
    await forLongLists(saveRevenues)(transaction, rows, deed)
    return json({ moved: ids.length })
  })
}
