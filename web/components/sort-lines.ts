// Sorted lines: the pinned anomalies, in the order in which the server lists the other lines.
import type { MaterialRow, SortName } from '../../../src/app/contract/approvals.ts'
import type { LineOrder } from '../../api/approvals.ts'

/** Lines without a value come first, or last when descending; equal ones keep their order. */
export function sortLines<Line extends MaterialRow>(
  lines: readonly Line[],
  order: LineOrder | undefined,
): readonly Line[] {
  if (order === undefined) return lines
  const valueOf = sortedValues[order.replace('-', '') as SortName]
  const sign = order.startsWith('-') ? -1 : 1
  return lines.toSorted((one, other) => sign * compare(valueOf(one), valueOf(other)))
}

type SortedValue = string | number | null

function compare(one: SortedValue, other: SortedValue): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null)
  return typeof one === 'string' && typeof other === 'string'
    ? norwegian.compare(one, other)
    : Number(one) - Number(other)
}

const norwegian = new Intl.Collator('nb')

const sortedValues: Readonly<Record<SortName, (line: MaterialRow) => SortedValue>> = {
  date: ({ date }) => date,
  employee: ({ employeeId, lastName, firstName }) =>
    employeeId === null ? null : `${lastName ?? ''} ${firstName ?? ''}`,
  project: ({ projectName, projectId }) => projectName ?? projectId,
  item: ({ itemName, itemId }) => itemName ?? itemId,
  quantity: ({ quantity }) => quantity,
  price: ({ salesPrice }) => salesPrice,
  amount: ({ amount }) => amount,
  // The youngest was registered last.
  age: ({ createdAt }) => -createdAt,
}
