// Data quality of revenue: gaps, duplicates, unknown departments, records without a date.
import type { DataIssues, SentCode } from '../contract/revenue.ts'
import { createActorNames } from '../actors.ts'
import { idIn, invalidChoiceError, queryIn } from '../request-values.ts'
import { readFields, textIn } from '../body.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import { parseDay } from '../date-range.ts'
import { plusDays } from '../../lib/calendar.ts'
import { requireDepartment } from './revenue-cells.ts'
import { kindIn, findDataQualityIssues } from './revenue-overview.ts'
import type { AppRequest } from '../route.ts'
import { department } from '../../model/directory.ts'
import { message } from '../../errors/messages.ts'
import { deleteRevenueRecord } from '../../revenue/delete.ts'
import { inChunks } from '../../revenue/long-list.ts'
import { saveRevenues } from '../../revenue/save-list.ts'
import { findExistingKeys } from '../../store/directory/directory-records.ts'
import { listCellLog, listRecordIds } from '../../store/revenue/revenue-sums.ts'
import { findRevenues } from '../../store/revenue/revenues.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'

/** The findings of the last five weeks. The first twenty unknown codes have their last sender. */
export async function getDataQuality(appRequest: AppRequest): Promise<DataIssues<SentCode>> {
  const { store, request, today, companyId, company } = appRequest
  const query = queryIn(request, ['kind'])
  const kind = kindIn(query.get('kind'))
  const day = today(company.zone)
  const found = await findDataQualityIssues(store.reports(companyId, request), companyId, kind, {
    yesterday: plusDays(day, -1),
    day,
  })
  const nameActor = await createActorNames(store, companyId)
  const unknown = await Promise.all(
    found.unknown.map(async (code, index) => {
      const cell = { date: code.last, departmentId: code.departmentId, kind }
      const [latest] = index < sendersMax ? await listCellLog(store, { companyId, ...cell }) : []
      return { ...code, actor: nameActor(latest?.actor ?? null), at: latest?.at ?? null }
    }),
  )
  return { ...found, unknown }
}

const sendersMax = 20

/** `before` is the timestamp that the page showed; a record that has changed since stays, 412 `ConcurrentModification`. */
export async function removeRevenueRecord(appRequest: AppRequest): Promise<{ id: number }> {
  const fields = await readFields(appRequest.request)
  const id = idIn(fields, 'id')
  const before = textIn(fields, 'before')
  await inCompanyTransaction(appRequest, async (transaction, context) => {
    const stored = (await findRevenues(transaction, [id])).get(id)
    if (stored === undefined) throw notFoundError(message('theRecord'))
    requireDepartment(appRequest.sessionUser, stored.departmentId ?? '')
    if (String(stored.changedAt) !== before)
      throw new ApiError('ConcurrentModification', {
        target: 'before',
        params: { what: String(id), actor: message('somebodyElse') },
      })
    await deleteRevenueRecord(transaction, { id }, context)
  })
  return { id }
}

/** Moves all records of a code within a date range to an existing department. */
export async function moveRevenueCode(appRequest: AppRequest): Promise<{ moved: number }> {
  const fields = await readFields(appRequest.request)
  const from = fields.get('from') ?? ''
  const to = textIn(fields, 'to')
  const days = { from: parseDay(fields.get('first'), 'first'), to: parseDay(fields.get('last'), 'last') }
  const kind = kindIn(fields.get('kind'))
  for (const code of [from, to]) requireDepartment(appRequest.sessionUser, code)
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const known = await findExistingKeys(transaction, department, [to])
    if (!known.has(to)) throw invalidChoiceError('to')
    const ids = await listRecordIds(transaction, { departmentId: from, kind, ...days })
    const rows = ids.map(({ id }, index) => ({ location: `[${index}]`, values: { id, departmentId: to } }))
    await inChunks(saveRevenues)(transaction, { rows, context, receive: () => undefined })
    return { moved: ids.length }
  })
}
