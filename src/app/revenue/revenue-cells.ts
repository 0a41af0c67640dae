// Revenue cells: one cell with its records and change log, and editing cells as through the API.
import { actorNames } from '../actors.ts'
import { readList, textIn, type Fields } from '../body.ts'
import { dayAt } from '../date-range.ts'
import { kindIn } from './revenue-overview.ts'
import { json, type Asked } from '../route.ts'
import type { Visitor } from '../../auth/sessions/sessions.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { amountLimit, readDecimal, writeDecimal } from '../../lib/decimal.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import { deedOf } from '../../auth/action-context.ts'
import { setRevenuePerDate } from '../../revenue/set-per-date.ts'
import { cellKey, type Cell } from '../../store/revenue/cells.ts'
import { logOfCell, recordsOfCell } from '../../store/revenue/revenue-sums.ts'
import { leadersOf, type StoredRevenue } from '../../store/revenue/revenues.ts'
import type { Transaction } from '../../store/store.ts'

/** Amounts are ten-thousandths, timestamps microseconds; actors have display names. */
export async function revenueCell({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const query = parseQuery(
    request.search,
    knownParameters(['date', 'department', 'kind'], 'refused'),
  )
  const cell: Cell = {
    date: dayAt(query.get('date'), 'date'),
    departmentId: query.get('department') ?? '',
    kind: kindIn(query.get('kind')),
  }
  const name = await actorNames(store, visitor)
  const entries = await logOfCell(store, companyId, cell)
  return json({
    records: await recordsOfCell(store, companyId, cell),
    log: entries.map((entry) => ({ ...entry, actor: name(entry.actor) })),
  })
}

/**
 * Sets the revenue of cells, all or none. `before` is the amount that the page showed: when it has changed since, nothing
 * is stored, and the error names who changed it, 412 `ChangedMeanwhile`.
 */
export async function setRevenueCells(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const edits = (await readList(request)).map(readEdit)
  for (const { cell } of edits) requireDepartment(visitor, cell.departmentId)
  const deed = deedOf(visitor.caller, request.id, clock())
  const stored = await store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const leaders = await leadersOf(
      transaction,
      edits.map(({ cell }) => cell),
    )
    for (const edit of edits)
      await requireUnchanged(asked, transaction, edit, leaders.get(cellKey(edit.cell)))
    const rows = edits.map(({ cell, amount }, index) => ({
      place: `[${index}]`,
      values: { ...cell, amount },
    }))
    return setRevenuePerDate(transaction, rows, deed)
  })
  return json({ stored: stored.flatMap((one) => ('record' in one ? [one.record] : [])) })
}

interface Edit {
  readonly cell: Cell
  readonly amount: number
  /** The amount that the page showed; null for an empty cell. */
  readonly before: number | null
}

function readEdit(fields: Fields, index: number): Edit {
  const place = (name: string) => `[${index}].${name}`
  const before = fields.get('before')
  return {
    cell: {
      date: dayAt(fields.get('date'), place('date')),
      departmentId: textIn(fields, 'department').slice(0, 50),
      kind: kindIn(fields.get('kind')).slice(0, 10),
    },
    amount: amountAt(textIn(fields, 'amount'), place('amount')),
    before: before === undefined || before === null ? null : amountAt(before, place('before')),
  }
}

function amountAt(text: string, place: string): number {
  const amount = readDecimal(text)
  if (amount === 'malformed')
    throw new Fault('InvalidNumber', {
      target: place,
      says: { field: place, value: text.slice(0, 40), problem: phrase('aNumber') },
    })
  if (amount !== 'outOfRange') return amount
  const max = writeDecimal(amountLimit)
  throw new Fault('NumberOutOfRange', {
    target: place,
    says: { field: place, min: `-${max}`, max },
  })
}

/** An approver of some departments may change only those (ADR 0060). */
export function requireDepartment(
  { departments, role, caller }: Visitor,
  departmentId: string,
): void {
  if (departments !== null && !departments.includes(departmentId))
    throw new Fault('RoleMissing', {
      target: departmentId,
      says: { role, company: caller.company.name },
    })
}

async function requireUnchanged(
  { visitor }: Asked,
  transaction: Transaction,
  { cell, before }: Edit,
  leader: StoredRevenue | undefined,
): Promise<void> {
  if ((leader?.amount ?? null) === before) return
  const [latest] = await logOfCell(transaction, visitor.caller.companyId, cell)
  const name = await actorNames(transaction, visitor)
  throw new Fault('ChangedMeanwhile', {
    target: `${cell.date} ${cell.departmentId}`,
    says: {
      what: `${cell.date} ${cell.departmentId}`,
      actor: name(latest?.actor ?? null) ?? '?',
    },
  })
}
