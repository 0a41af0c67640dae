// Revenue cells: one cell with its records and change log, and editing cells as through the API.
import type { RevenueCellDetails } from '../contract/revenue.ts'
import { createActorNames } from '../actors.ts'
import { readList, textIn, type BodyFields } from '../body.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import { parseDay } from '../date-range.ts'
import { kindIn } from './revenue-overview.ts'
import { parseAmount, queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import type { SessionUser } from '../../auth/sessions/sessions.ts'
import { setRevenueListPerDate } from '../../revenue/set-per-date.ts'
import { cellKey, type Cell } from '../../store/revenue/cells.ts'
import { listCellLog, listCellRecords } from '../../store/revenue/revenue-sums.ts'
import { findLeadingRecords, type StoredRevenue } from '../../store/revenue/revenues.ts'
import type { Transaction } from '../../store/store.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { WrittenRevenue } from '../../model/revenue.ts'

/** Amounts are ten-thousandths, timestamps microseconds; actors have display names. */
export async function getRevenueCell(appRequest: AppRequest): Promise<RevenueCellDetails> {
  const { store, request, companyId } = appRequest
  const query = queryIn(request, ['date', 'department', 'kind'])
  const cell: Cell = {
    date: (query.get('date') ?? '') === '' ? '' : parseDay(query.get('date'), 'date'),
    departmentId: query.get('department') ?? '',
    kind: kindIn(query.get('kind')),
  }
  const nameActor = await createActorNames(store, companyId)
  const entries = await listCellLog(store, { companyId, ...cell })
  const records = await listCellRecords(store, { companyId, ...cell, limit: recordsMax + 1 })
  return {
    records: records.slice(0, recordsMax),
    hasMore: records.length > recordsMax,
    log: entries.map((entry) => ({ ...entry, actor: nameActor(entry.actor) })),
  }
}

/** A person settles them one by one, and then sees the next ones. */
const recordsMax = 200

/**
 * Sets the revenue of cells, all or none. `before` is the amount that the page showed: when it has changed since, nothing
 * is stored, and the error names who changed it, 412 `ConcurrentModification`.
 */
export async function setRevenueCells(appRequest: AppRequest) {
  const edits = (await readList(appRequest.request)).map(readEdit)
  for (const { cell } of edits) requireDepartment(appRequest.sessionUser, cell.departmentId)
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const cells = edits.map(({ cell }) => cell)
    const leaders = await findLeadingRecords(transaction, cells)
    for (const edit of edits) await requireUnchanged(appRequest, transaction, edit, leaders.get(cellKey(edit.cell)))
    const rows = edits.map(({ cell, amount }, index) => ({ location: `[${index}]`, values: { ...cell, amount } }))
    const stored: WrittenRevenue[] = []
    await setRevenueListPerDate(transaction, {
      rows,
      context,
      receive: (outcomes, start) => {
        stored.length = start
        for (const outcome of outcomes) if ('record' in outcome) stored.push(outcome.record)
      },
    })
    return { stored }
  })
}

interface Edit {
  readonly cell: Cell
  readonly amount: number
  /** The amount that the page showed; null for an empty cell. */
  readonly before: number | null
}

function readEdit(fields: BodyFields, index: number): Edit {
  const locationOf = (name: string) => `[${index}].${name}`
  const before = fields.get('before')
  return {
    cell: {
      date: parseDay(fields.get('date'), locationOf('date')),
      departmentId: textIn(fields, 'department').slice(0, 50),
      kind: kindIn(fields.get('kind')).slice(0, 10),
    },
    amount: parseAmount(textIn(fields, 'amount'), locationOf('amount')),
    before: before === undefined || before === null ? null : parseAmount(before, locationOf('before')),
  }
}

/** An approver of some departments may change only those (ADR 0039). */
export function requireDepartment({ departments, role, caller }: SessionUser, departmentId: string): void {
  if (departments !== null && !departments.includes(departmentId))
    throw new ApiError('RoleMissing', { target: departmentId, params: { role, company: caller.company.name } })
}

async function requireUnchanged(
  { companyId }: AppRequest,
  transaction: Transaction,
  { cell, before }: Edit,
  leader: StoredRevenue | undefined,
): Promise<void> {
  if ((leader?.amount ?? null) === before) return
  const [latest] = await listCellLog(transaction, { companyId, ...cell })
  const nameActor = await createActorNames(transaction, companyId)
  throw new ApiError('ConcurrentModification', {
    target: `${cell.date} ${cell.departmentId}`,
    params: { what: `${cell.date} ${cell.departmentId}`, actor: nameActor(latest?.actor ?? null) ?? '?' },
  })
}
