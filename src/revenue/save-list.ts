// Saves revenue rows: rows with a key update, rows without insert (interface 4.1.2).
import { Fault } from '../errors/catalog.ts'
import { actions } from '../model/revenue-log.ts'
import { phrase } from '../errors/messages.ts'
import type { Refused } from '../model/outcome.ts'
import { revenue, type Revenue } from '../model/revenue.ts'
import type { RevenueAct } from './types.ts'
import { Changes, type Placed } from './changes.ts'
import { cellKey, cellOf, type Cell } from '../store/revenue/cells.ts'
import { leadersOf, revenuesById, type StoredRevenue } from '../store/revenue/revenues.ts'

export const saveRevenues: RevenueAct = async (transaction, rows, deed) => {
  const changes = new Changes(transaction, deed)
  const keys = rows.flatMap(({ values }) => values.id ?? [])
  const existing =
    keys.length === 0 ? new Map<number, StoredRevenue>() : await revenuesById(transaction, keys)
  const cells = rows.flatMap(({ values }) =>
    values.id === undefined ? (newCell(values) ?? []) : [],
  )
  const leaders =
    cells.length === 0 ? new Map<string, StoredRevenue>() : await leadersOf(transaction, cells)

  const outcomes = rows.map(({ values, place }): Placed | Refused => {
    if (values.id === undefined) {
      const cell = newCell(values)
      const leader = cell === null ? undefined : leaders.get(cellKey(cell))
      if (leader !== undefined && deed.settings.forbidsSecondRecord)
        return refuse(place, 'AlreadyExists', leader.id)
      const record = changes.insert(values, cell !== null && leader === undefined)
      if (cell !== null && leader === undefined) leaders.set(cellKey(cell), record)
      changes.log(record, { ...set, amount: record.amount, before: null, after: record.amount })
      return { record, isApplied: true }
    }
    const stored = existing.get(values.id)
    if (stored === undefined) return refuse(place, 'NotFound')
    const before = changes.latest(stored).amount
    const record = changes.update(stored, values)
    changes.log(record, { ...set, amount: values.amount ?? null, before, after: record.amount })
    return { record, isApplied: true }
  })
  await changes.store()
  return changes.outcomes(outcomes)
}

/** The cell of a new record; null when its fields do not define one. */
function newCell({ date = null, departmentId = null, kind }: Partial<Revenue>): Cell | null {
  return cellOf({ date, departmentId, kind: kind ?? revenue.fields.kind.absent })
}

const set = { action: actions.set, reference: null } as const

/** An unknown key and another company's key get the same error. */
function refuse(place: string, code: 'NotFound' | 'AlreadyExists', existing?: number): Refused {
  const field = revenue.fields.id.alsoReads[0]
  const fault =
    code === 'NotFound'
      ? new Fault(code, { target: field, says: { what: field } })
      : new Fault(code, {
          says: { what: phrase('recordOfCell') },
          ...(existing === undefined ? {} : { existing }),
        })
  return { refused: fault.detail(place) }
}
