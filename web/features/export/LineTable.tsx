// LineTable: lines of a destination, which open beside the list.
import type { LineListName, ListedLine } from '../../../src/app/contract/export.ts'
import { Checkbox } from '@mantine/core'
import { useSearchParams } from '../../app/use-search-params.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { useIsBeside } from '../../components/DetailPane.tsx'
import type { Column, TableOrder } from '../../components/Table.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { exportDetailsText } from './details-i18n.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface LineTableProps {
  readonly rows: readonly ListedLine[]
  readonly ticked: ReadonlySet<number>
  /** Null without permission to act. */
  readonly onTick: ((id: number) => void) | null
  readonly list: LineListName
  readonly sorted: TableOrder | undefined
}

export function LineTable({ rows, ticked, onTick, list, sorted }: LineTableProps) {
  const { t, format } = useTranslation(exportDetailsText, approvalText, exportText)
  const [{ linje }, change] = useSearchParams('/app/eksport')
  const isTablet = useMatches('(min-width: 64.01rem) and (max-width: 75rem)')
  const isBeside = useIsBeside()
  // The open line shows the rest.
  const isNarrowed = isTablet || (isBeside && linje !== undefined)
  const { columns } = t.approvals
  const all: readonly (Column<ListedLine> & { readonly isOmitted?: boolean })[] = [
    { title: t.export.columns.which, show: ({ id }) => id },
    { title: columns.date, sortName: 'date', show: ({ date }) => format.day(date) },
    {
      title: columns.project,
      sortName: 'project',
      isLong: true,
      isOmitted: isNarrowed,
      show: ({ projectName, projectId }) => projectName ?? projectId,
    },
    { title: columns.item, sortName: 'item', isLong: true, show: ({ itemName, itemId }) => itemName ?? itemId },
    {
      title: columns.quantity,
      sortName: 'quantity',
      isNumber: true,
      isOmitted: isNarrowed,
      show: ({ quantity, unit }) => `${format.quantity(quantity)} ${unit ?? ''}`,
    },
    { title: columns.amount, sortName: 'amount', isNumber: true, show: ({ amount }) => format.amount(amount, 2) },
    {
      title: t.export.externalId,
      isLong: true,
      isOmitted: isNarrowed || list !== 'finished',
      show: ({ externalId }) => <code>{externalId ?? t.none}</code>,
    },
    {
      title: t.export.status,
      isLong: true,
      isOmitted: isNarrowed && list !== 'failed',
      show: (row) => <ExportLineStatus row={row} />,
    },
  ]
  return (
    <DataTable
      labelledBy="lines"
      className="cards"
      rows={rows}
      columns={all.filter(({ isOmitted }) => !isOmitted)}
      tick={
        onTick === null
          ? undefined
          : {
              title: columns.tick,
              isTitleHidden: true,
              show: ({ id }) => (
                <Checkbox
                  aria-label={`${columns.tick} ${t.approvals.line(id)}`}
                  checked={ticked.has(id)}
                  onChange={() => onTick(id)}
                />
              ),
            }
      }
      sorted={sorted}
      keyOf={({ id }) => String(id)}
      isMain
      openKey={linje === undefined ? undefined : String(linje)}
      onOpen={({ id }) =>
        // From one line to the next, Back leads to the list.
        change({ linje: id }, { replace: linje !== undefined, resetScroll: false })
      }
    />
  )
}

function ExportLineStatus({ row }: { row: ListedLine }) {
  const { t, format } = useTranslation(exportText)
  if (row.state !== 'ready') {
    const what = row.state === 'closed' ? t.export.actions.closed : t.export.actions.acknowledged
    return row.acknowledgedAt === null ? what : `${what} ${format.timestamp(row.acknowledgedAt)}`
  }
  if (row.holder !== null) return `${t.export.stages.claimed}: ${format.actor(row.holder)}`
  if (row.failures > 0) {
    const failureText = t.export.failedTimes(row.failures, row.failure ?? '')
    return row.parkedAt === null ? failureText : `${t.export.parked}. ${failureText}`
  }
  return t.export.stages.ready
}
