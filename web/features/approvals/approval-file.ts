// The lines of the file of an approvals list, in the order of the list.
import type { LineGroup, LineGrouping, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { fetchAllLines, type ApprovalListFilter } from '../../api/approvals.ts'
import { sortLines } from '../../components/sort-lines.ts'

export async function fetchListedLines(
  filter: ApprovalListFilter,
  groups: readonly LineGroup[],
): Promise<readonly MaterialRow[]> {
  const lines = sortLines(await fetchAllLines(filter), filter.sort)
  const places = new Map(groups.map(({ key }, index) => [key, index]))
  const keyOf = groupKeys[filter.group]
  // A group that is newer than the list comes last.
  const placeOf = (line: MaterialRow) => places.get(String(keyOf(line) ?? '')) ?? groups.length
  return lines.toSorted((one, other) => placeOf(one) - placeOf(other))
}

const groupKeys: Readonly<Record<LineGrouping, (line: MaterialRow) => string | number | null>> = {
  none: () => null,
  project: ({ projectId }) => projectId,
  employee: ({ employeeId }) => employeeId,
  department: ({ departmentId }) => departmentId,
  day: ({ date }) => date,
}
