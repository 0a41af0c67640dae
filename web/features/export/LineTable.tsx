// LineTable: lines of a destination, which open beside the list.
import type { LineListName, ListedLine } from '../../../src/app/contract/export.ts'
import { Checkbox } from '@mantine/core'
import { useSearchParams } from '../../app/use-search-params.ts'
import { DataTable, type DataTableProps } from '../../components/DataTable.tsx'
import { useIsBeside } from '../../components/DetailPane.tsx'
import type { ListColumn } from '../../components/list-columns.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { useExportDetailsText } from './details-i18n.ts'

export interface LineTableProps extends Pick<
  DataTableProps<ListedLine>,
  'rows' | 'query' | 'loadAll' | 'tools' | 'sorted' | 'onClear'
> {
  readonly ticked: ReadonlySet<number>
  /** Null without permission to act. */
  readonly onTick: ((id: number) => void) | null
  readonly list: LineListName
}

export function LineTable({ ticked, onTick, list, ...props }: LineTableProps) {
  const { t } = useExportDetailsText()
  const [{ linje }, change] = useSearchParams('/app/eksport')
  const { tick } = t.approvals.columns
  return (
    <DataTable
      {...props}
      name="eksportlinjer"
      labelledBy="lines"
      columns={useLineColumns(list, linje !== undefined)}
      tick={
        onTick === null
          ? undefined
          : {
              title: tick,
              isTitleHidden: true,
              show: ({ id }) => (
                <Checkbox
                  aria-label={`${tick} ${t.approvals.line(id)}`}
                  checked={ticked.has(id)}
                  onChange={() => onTick(id)}
                />
              ),
            }
      }
      empty={[t.export.emptyLists[list], t.export.nothingText]}
      keyOf={({ id }) => id}
      isMain
      openKey={linje === undefined ? undefined : String(linje)}
      onOpen={({ id }) =>
        // From one line to the next, Back leads to the list.
        change({ linje: id }, { replace: linje !== undefined, resetScroll: false })
      }
    />
  )
}

function useLineColumns(list: LineListName, isOpen: boolean): readonly ListColumn<ListedLine>[] {
  const { t, format } = useExportDetailsText()
  const isTablet = useMatches('(min-width: 64.01rem) and (max-width: 75rem)')
  const isBeside = useIsBeside()
  const statusOf = useExportStatus()
  // The open line shows the rest.
  const isNarrowed = isTablet || (isBeside && isOpen)
  const { columns } = t.approvals
  return [
    { value: 'id', title: t.approvals.columns.id },
    { value: 'date', title: columns.date, type: 'day', sortName: 'date' },
    {
      key: 'project',
      title: columns.project,
      sortName: 'project',
      isLong: true,
      isHidden: isNarrowed,
      value: ({ projectName, projectId }) => projectName ?? projectId,
    },
    { value: 'projectId', title: columns.projectId, isHidden: true },
    {
      key: 'item',
      title: columns.item,
      sortName: 'item',
      isLong: true,
      value: ({ itemName, itemId }) => itemName ?? itemId,
    },
    { value: 'itemId', title: columns.itemId, isHidden: true },
    {
      value: 'quantity',
      title: columns.quantity,
      type: 'quantity',
      sortName: 'quantity',
      isHidden: isNarrowed,
      show: ({ quantity, unit }) => `${format.quantity(quantity)} ${unit ?? ''}`,
    },
    { value: 'unit', title: columns.unit, isHidden: true },
    { value: 'amount', title: columns.amount, type: 'amount', sortName: 'amount', unknown: t.none },
    {
      key: 'kind',
      title: t.exportDetails.fields.kind,
      isHidden: true,
      value: ({ lineKind }) => t.exportDetails.kinds[lineKind],
    },
    ...(list === 'finished'
      ? [
          {
            key: 'externalId',
            title: columns.receiverId,
            isLong: true,
            isHidden: isNarrowed,
            unknown: t.none,
            value: (row: ListedLine) => row.externalId,
          },
        ]
      : []),
    { key: 'status', title: t.table.state, isLong: true, isHidden: isNarrowed && list !== 'failed', value: statusOf },
  ]
}

function useExportStatus() {
  const { t, format } = useExportDetailsText()
  return (row: ListedLine): string => {
    if (row.state !== 'ready') {
      const what = row.state === 'closed' ? t.export.actions.closed : t.export.stages.exported
      return row.acknowledgedAt === null ? what : `${what} ${format.timestamp(row.acknowledgedAt)}`
    }
    if (row.holder !== null) return `${t.export.stages.claimed}: ${format.actor(row.holder)}`
    if (row.failures > 0) {
      const failureText = t.export.failedTimes(row.failures, row.failure ?? '')
      return row.parkedAt === null ? failureText : `${t.export.parked}. ${failureText}`
    }
    return t.export.stages.ready
  }
}
