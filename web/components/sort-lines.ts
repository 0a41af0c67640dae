// Sorted lines of approvals and export, in the order in which the server lists them.
import type { MaterialRow, SortName } from '../../src/app/contract/approvals.ts'
import type { LineOrder } from '../api/approvals.ts'

/** Lines without a value come first, or last when descending; equal ones keep their order. */
export function sortLines<Line extends SortedLine>(
  lines: readonly Line[],
  order: LineOrder | undefined,
): readonly Line[] {
  if (order === undefined) return lines
  const valueOf = sortedValues[order.replace('-', '') as SortName]
  const sign = order.startsWith('-') ? -1 : 1
  return lines.toSorted((one, other) => sign * compare(valueOf(one), valueOf(other)))
}

/** A line has what its list can be sorted by. */
type SortedLine = Partial<Omit<MaterialRow, 'state'>>

type SortedValue = string | number | null | undefined

function compare(one: SortedValue, other: SortedValue): number {
  const [value, otherValue] = [one ?? null, other ?? null]
  if (value === null || otherValue === null) return Number(value !== null) - Number(otherValue !== null)
  return typeof value === 'string' && typeof otherValue === 'string'
    ? norwegian.compare(value, otherValue)
    : Number(value) - Number(otherValue)
}

const norwegian = new Intl.Collator('nb')

const sortedValues: Readonly<Record<SortName, (line: SortedLine) => SortedValue>> = {
  date: ({ date }) => date,
  employee: ({ employeeId = null, lastName, firstName }) =>
    employeeId === null ? null : `${lastName ?? ''} ${firstName ?? ''}`,
  project: ({ projectName, projectId }) => projectName ?? projectId,
  item: ({ itemName, itemId }) => itemName ?? itemId,
  quantity: ({ quantity }) => quantity,
  price: ({ salesPrice }) => salesPrice,
  amount: ({ amount }) => amount,
  // The youngest was registered last.
  age: ({ createdAt = 0 }) => -createdAt,
}
