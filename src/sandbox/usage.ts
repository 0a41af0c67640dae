// Weeks of made-up material: registered, decided on and waiting, by the same acts that callers use.
import type { Caller } from '#auth/caller.ts'
import { dayText } from '#lib/calendar.ts'
import { decideOn } from '#materials/decide.ts'
import { deedOf, type Deed } from '#materials/deed.ts'
import { registerBatch, type SentRow } from '#materials/register-batch.ts'
import { between, dice, isOnceIn } from '#sandbox/dice.ts'
import type { Span } from '#sandbox/history.ts'
import { directorySizes } from '#sandbox/directory.ts'
import { departments } from '#sandbox/departments.ts'
import type { Transaction } from '#store/store.ts'

/** Stores what was used on a day of the last weeks; of the very last of them everything still waits. */
export const enterUsage = async (
  transaction: Transaction,
  caller: Caller,
  day: number,
  { end }: Span,
): Promise<void> => {
  const rows = day < end - usageDays ? [] : usageOn(caller.company.name, day)
  if (rows.length === 0) return
  const deed = deedOf(caller, `sandbox-${dayText(day)}`, (day * 24 + 15) * hour)
  const outcomes = await registerBatch(transaction, rows, deed)
  const ids = outcomes.flatMap((one) => ('material' in one ? one.material.id : []))
  if (day < end - waitingDays)
    await decideDay(transaction, ids, { ...deed, now: deed.now + 18 * hour })
}

const usageDays = 56
const waitingDays = 12
/** Microseconds. */
const hour = 3600 * 1_000_000

/** The morning after, most is approved; some is sent back, and now and then a line is overlooked. */
const decideDay = async (
  transaction: Transaction,
  ids: readonly number[],
  deed: Deed,
): Promise<void> => {
  const rejected = ids.filter((id) => isOnceIn(17, 'rejected', id))
  const approved = ids.filter((id) => !rejected.includes(id) && !isOnceIn(60, 'overlooked', id))
  if (approved.length > 0)
    await decideOn(transaction, approved, { act: 'approve', reason: null }, deed)
  for (const id of rejected) {
    const reason = reasons[between(0, reasons.length - 1, 'reason', id)] ?? ''
    await decideOn(transaction, [id], { act: 'reject', reason }, deed)
  }
}

const reasons = ['Feil prosjekt', 'Antallet stemmer ikke', 'Ført to ganger'] as const

const usageOn = (company: string, day: number): SentRow[] => {
  const size = directorySizes[company]
  if (size === undefined) return []
  const known = new Set((departments[company] ?? []).map(({ id }) => id))
  // 1970-01-01 was a Thursday: Saturdays and Sundays are days 2 and 3 of its week.
  if ([2, 3].includes(day % 7)) return []
  const count = between(5, 12, company, 'usage', day)
  return Array.from({ length: count }, (_, index): SentRow => {
    const words = [company, day, index] as const
    const item = items[between(0, items.length - 1, 'item', ...words)]
    if (item === undefined) throw new Error('a sandbox without items')
    const isHuge = isOnceIn(45, 'huge', ...words)
    const quantity = between(1, item.usual * 2, 'quantity', ...words) * (isHuge ? 40 : 1)
    const isReturned = isOnceIn(25, 'returned', ...words)
    const project = between(1, size.projects, 'project', ...words)
    return {
      place: `[${index}]`,
      values: {
        date: dayText(day),
        employeeId: between(1, size.employees, 'employee', ...words),
        departmentId: known.has(item.departmentId) ? item.departmentId : null,
        projectId: isOnceIn(30, 'no project', ...words) ? null : projectId(project),
        itemId: item.id,
        itemName: item.name,
        quantity: (isReturned ? -1 : 1) * quantity * 10_000,
        unit: item.unit,
        costPrice: Math.round(item.price * 0.7) * 10_000,
        salesPrice: isOnceIn(40, 'no price', ...words) ? null : item.price * 10_000,
        isBillable: dice('billable', ...words) < 0.9,
        remark: isOnceIn(12, 'remark', ...words) ? 'Hentet på lageret' : null,
        source: isOnceIn(3, 'source', ...words) ? 'lager' : 'skanner',
        externalId: `${dayText(day)}-${index + 1}`,
      },
    }
  })
}

/** How projects are numbered in the made-up directory. */
const projectId = (number: number): string => `P${String(number).padStart(3, '0')}`

interface Item {
  readonly id: string
  readonly name: string
  readonly unit: string
  /** Kroner. */
  readonly price: number
  readonly usual: number
  readonly departmentId: string
}

const items: readonly Item[] = [
  { id: '100210', name: 'Gipsplate 13 mm', unit: 'stk', price: 129, usual: 12, departmentId: '10' },
  {
    id: '100340',
    name: 'Konstruksjonsvirke 48x98',
    unit: 'm',
    price: 32,
    usual: 30,
    departmentId: '10',
  },
  {
    id: '100355',
    name: 'Konstruksjonsvirke 48x148',
    unit: 'm',
    price: 46,
    usual: 24,
    departmentId: '10',
  },
  { id: '100702', name: 'Isolasjon 100 mm', unit: 'm2', price: 78, usual: 20, departmentId: '10' },
  {
    id: '200115',
    name: 'Treskrue 5x60, eske',
    unit: 'eske',
    price: 189,
    usual: 3,
    departmentId: '20',
  },
  {
    id: '200121',
    name: 'Terrasseskrue A4, eske',
    unit: 'eske',
    price: 449,
    usual: 2,
    departmentId: '20',
  },
  { id: '200480', name: 'Byggskum', unit: 'stk', price: 119, usual: 4, departmentId: '20' },
  { id: '200611', name: 'Koblingsboks IP65', unit: 'stk', price: 64, usual: 5, departmentId: '20' },
  { id: '200733', name: 'Kabel PN 3G2,5', unit: 'm', price: 24, usual: 40, departmentId: '20' },
  { id: '300050', name: 'Plantejord 50 l', unit: 'sekk', price: 69, usual: 8, departmentId: '30' },
]
