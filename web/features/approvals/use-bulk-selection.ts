// useBulkSelection: selects all lines of the approval queue, those without anomalies, or a group.
import type { LineGroup, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { useEffect } from 'react'
import { fetchLinesWithoutAnomalies, fetchSelectableLines, type ApprovalListFilter } from '../../api/approvals.ts'
import type { useSelection } from './selection.ts'

interface BulkSelection {
  readonly selection: ReturnType<typeof useSelection>
  readonly filter: ApprovalListFilter
  /** The only lines that are shown; null for the whole list. */
  readonly anomalies: readonly MaterialRow[] | null
  readonly readAt: number
  /** The lines that are selected at first: all, or those without anomalies. */
  readonly ticks: true | 'uten-avvik' | undefined
}

export function useBulkSelection({ selection, filter, anomalies, readAt, ticks }: BulkSelection) {
  const chooseAll = async () =>
    selection.all(
      anomalies === null
        ? await fetchSelectableLines(filter)
        : { ids: anomalies.map(({ id }) => id), amounts: anomalies.map(({ amount }) => amount), readAt },
    )
  const chooseUsual = async () => selection.all(await fetchLinesWithoutAnomalies(filter))
  const chooseGroup = async ({ key }: LineGroup) => selection.add(await fetchSelectableLines(withGroup(filter, key)))
  useEffect(() => {
    if (ticks !== undefined) void (ticks === true ? chooseAll() : chooseUsual())
    // Once: deselected lines stay deselected.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ticks])
  return {
    chooseAll: () => void chooseAll(),
    chooseUsual: () => void chooseUsual(),
    chooseGroup: (group: LineGroup) => void chooseGroup(group),
  }
}

/** The filter of a single group. */
function withGroup(filter: ApprovalListFilter, key: string): ApprovalListFilter {
  return filter.group === 'day' ? { ...filter, from: key, to: key } : { ...filter, [filter.group]: key }
}
