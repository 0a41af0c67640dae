// Columns of the approval queue: heading, width and content of each, and the user's choice of them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SortName } from '../../../src/app/contract/approvals.ts'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useColumnChoice } from '../../components/ColumnMenu.tsx'
import { toTableColumn, type ListColumn } from '../../components/list-columns.tsx'
import type { TableColumn } from '../../components/Table.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getEmployeeName } from './list-layout.ts'
import styles from './Queue.module.css'
import {
  Card,
  EmployeeOrRegistrant,
  getAge,
  getItemName,
  getRegistrant,
  isOnCard,
  Item,
  SelectCheckbox,
  type QueuedLine,
} from './QueueCells.tsx'

interface ColumnWidth {
  /** Track of the grid that all rows share. */
  readonly width: string
  /** Wide enough that common numbers and dates do not move the columns. */
  readonly minWidth?: string
}

export type QueueColumn = TableColumn<QueuedLine> & ColumnWidth

type LineColumn = ListColumn<QueuedLine> & ColumnWidth

interface QueueWidth {
  readonly hasCards: boolean
  /** Beside an open line, which shows the rest. */
  readonly isNarrowed: boolean
}

/** The choice, and the columns of the rows: what the group header states, and what the screen is too narrow for, is hidden. */
export function useQueueColumns(filter: ApprovalListFilter, { hasCards, isNarrowed }: QueueWidth) {
  const { t, format } = useTranslation(approvalText)
  const lineColumns = useLineColumns(filter, { hasCards, isNarrowed })
  const choice = useColumnChoice('godkjenning', lineColumns)
  const { shown } = choice
  const columns = useMemo((): readonly QueueColumn[] => {
    const { tick, item } = t.approvals.columns
    const fields = shown.map((column) => ({ ...column, ...toTableColumn(column, { t, format }) }))
    return [
      {
        title: tick,
        isTitleHidden: true,
        className: styles.tick ?? '',
        width: hasCards ? '3rem' : '2.5rem',
        show: (queued) => <SelectCheckbox {...queued} />,
      },
      ...(hasCards
        ? [
            {
              title: item,
              className: 'card',
              width: 'minmax(0, 1fr)',
              show: (queued: QueuedLine) => <Card {...queued} columns={fields} />,
            },
          ]
        : fields),
    ]
  }, [shown, hasCards, t, format])
  const chosen = hasCards ? shown.filter(({ key }) => !isOnCard(key)).length : 0
  return {
    choice,
    columns,
    /** Of a row in pixels; equal for all rows, so that an index gives a scroll position. */
    height: hasCards ? 92 + 22 * chosen : 36,
    /** More columns than fit for certain. */
    isWide: !hasCards && shown.some(({ isHidden }) => isHidden),
  }
}

/** No age for decided lines. */
function useLineColumns(
  { group: grouping, state }: ApprovalListFilter,
  { hasCards, isNarrowed }: QueueWidth,
): readonly LineColumn[] {
  const { t, format } = useTranslation(approvalText)
  const { today, zone } = useSession()
  const { data: departments } = useQuery(departmentsQuery)
  const isMedium = useMatches('(max-width: 75rem)')
  return useMemo(() => {
    const { columns } = t.approvals
    const text = { width: 'minmax(var(--text-min), 1fr)' } as const
    const number = { width: 'max-content', minWidth: '5rem' } as const
    const hidden = (key: keyof typeof columns, value: (queued: QueuedLine) => string | number | null): LineColumn => ({
      key,
      title: columns[key],
      width: '7.5rem',
      isHidden: true,
      value,
    })
    const sorted = (key: keyof typeof columns & SortName) => ({ key, title: columns[key], sortName: key })
    const isHeader = (name: typeof grouping) => !hasCards && grouping === name
    const all: readonly (LineColumn | false)[] = [
      hidden('id', ({ line }) => line.id),
      {
        ...sorted('date'),
        type: 'day',
        isHidden: isHeader('day'),
        width: 'max-content',
        minWidth: '7rem',
        value: ({ line }) => line.date,
      },
      {
        ...sorted('employee'),
        isHidden: isNarrowed || isHeader('employee'),
        ...text,
        value: ({ line }) => getEmployeeName(line) || format.actor(getRegistrant(line)),
        show: ({ line }) => <EmployeeOrRegistrant line={line} />,
      },
      hidden('employeeId', ({ line }) => line.employeeId),
      {
        ...sorted('project'),
        isHidden: isHeader('project'),
        width: 'minmax(var(--text-min), 1.4fr)',
        value: ({ line }) => line.projectName ?? line.projectId,
        show: ({ line }) => (
          <>
            {line.projectName ?? line.projectId ?? ''}
            {line.siteName !== null && <span className="muted"> {line.siteName}</span>}
          </>
        ),
      },
      hidden('projectId', ({ line }) => line.projectId),
      hidden('site', ({ line }) => line.siteName),
      hidden('department', ({ line: { departmentId } }) => departments?.get(departmentId ?? '') ?? departmentId),
      hidden('departmentId', ({ line }) => line.departmentId),
      {
        title: columns.item,
        sortName: 'item',
        width: 'minmax(var(--text-min), 2fr)',
        value: ({ line }) => getItemName(line),
        show: (queued) => <Item {...queued} grouping={grouping} />,
      },
      hidden('itemId', ({ line }) => line.itemId),
      {
        ...sorted('quantity'),
        type: 'quantity',
        ...number,
        value: ({ line }) => line.quantity,
        show: ({ line }) => (
          <>
            {format.quantity(line.quantity)} <span className={`${styles.unit} muted`}>{line.unit}</span>
          </>
        ),
      },
      hidden('unit', ({ line }) => line.unit),
      {
        ...sorted('price'),
        type: 'amount',
        isHidden: isNarrowed || hasCards,
        ...number,
        unknown: t.none,
        value: ({ line }) => line.salesPrice,
      },
      {
        ...sorted('amount'),
        type: 'amount',
        ...number,
        width: 'max-content [amount-end]',
        unknown: t.none,
        className: 'strong',
        value: ({ line }) => line.amount,
      },
      hidden('remark', ({ line }) => line.remark),
      state === 'rejected' && hidden('reason', ({ line }) => line.rejectionReason),
      {
        key: 'source',
        title: columns.source,
        isHidden: isNarrowed || isMedium,
        width: 'minmax(3rem, 5rem)',
        className: 'muted',
        value: ({ line }) => line.source,
      },
      state === 'registered' && {
        ...sorted('age'),
        type: 'count',
        isHidden: isNarrowed,
        ...number,
        minWidth: '3.5rem',
        className: 'muted',
        value: ({ line }) => getAge(line, today, zone),
        show: ({ line }) => t.approvals.days(getAge(line, today, zone)),
      },
    ]
    return all.filter((column) => column !== false)
  }, [t, format, departments, today, zone, grouping, state, hasCards, isNarrowed, isMedium])
}
