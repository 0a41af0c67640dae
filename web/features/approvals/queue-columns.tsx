// Columns of the approval queue: heading, width and content of each.
import { useMemo } from 'react'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import type { Column } from '../../components/Table.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import styles from './Queue.module.css'
import { Age, Card, EmployeeOrRegistrant, Item, SelectCheckbox, type QueuedLine } from './QueueCells.tsx'

export interface QueueColumn extends Column<QueuedLine> {
  /** Track of the grid that all rows share. */
  readonly width: string
  /** Wide enough that common numbers and dates do not move the columns. */
  readonly minWidth?: string
}

interface QueueWidth {
  readonly hasCards: boolean
  /** Beside an open line, which shows the rest. */
  readonly isNarrowed: boolean
}

/** No column for what the group header states, nor age for decided lines. */
export function useQueueColumns(
  { group: grouping, state }: ApprovalListFilter,
  { hasCards, isNarrowed }: QueueWidth,
): readonly QueueColumn[] {
  const { t, language, format } = useTranslation(approvalText)
  const isMedium = useMatches('(max-width: 75rem)')
  return useMemo(() => {
    const { columns } = t.approvals
    const tick: QueueColumn = {
      title: columns.tick,
      isTitleHidden: true,
      className: styles.tick ?? '',
      width: hasCards ? '3rem' : '2.5rem',
      show: (queued) => <SelectCheckbox {...queued} />,
    }
    if (hasCards)
      return [
        tick,
        { title: columns.item, className: 'card', width: 'minmax(0, 1fr)', show: (queued) => <Card {...queued} /> },
      ]
    const number = { isNumber: true, width: 'max-content', minWidth: '5rem' } as const
    const money = (amount: number | null) => format.amount(amount, 2)
    const all: readonly (QueueColumn & { readonly isOmitted?: boolean })[] = [
      tick,
      {
        title: columns.date,
        sortName: 'date',
        isOmitted: grouping === 'day',
        width: 'max-content',
        minWidth: '7rem',
        show: ({ line }) => format.day(line.date),
      },
      {
        title: columns.employee,
        sortName: 'employee',
        isOmitted: isNarrowed || grouping === 'employee',
        width: 'minmax(3.5rem, 1fr)',
        show: ({ line }) => <EmployeeOrRegistrant line={line} />,
      },
      {
        title: columns.project,
        sortName: 'project',
        isOmitted: grouping === 'project',
        width: 'minmax(3.5rem, 1.4fr)',
        show: ({ line }) => (
          <>
            {line.projectName ?? line.projectId ?? ''}
            {line.siteName !== null && <span className="muted"> {line.siteName}</span>}
          </>
        ),
      },
      {
        title: columns.item,
        sortName: 'item',
        width: 'minmax(3.5rem, 2fr)',
        show: (queued) => <Item {...queued} grouping={grouping} />,
      },
      {
        title: columns.quantity,
        sortName: 'quantity',
        ...number,
        show: ({ line }) => (
          <>
            {format.quantity(line.quantity)} <span className={`${styles.unit} muted`}>{line.unit}</span>
          </>
        ),
      },
      {
        title: columns.price,
        sortName: 'price',
        isOmitted: isNarrowed,
        ...number,
        show: ({ line }) => money(line.salesPrice),
      },
      {
        title: columns.amount,
        sortName: 'amount',
        ...number,
        className: 'strong',
        show: ({ line }) => money(line.amount),
      },
      {
        title: columns.source,
        isOmitted: isNarrowed || isMedium,
        width: 'minmax(3rem, 5rem)',
        className: 'muted',
        show: ({ line }) => line.source,
      },
      {
        title: columns.age,
        sortName: 'age',
        isOmitted: isNarrowed || state !== 'registered',
        ...number,
        minWidth: '3.5rem',
        className: 'muted',
        show: ({ line }) => <Age line={line} />,
      },
    ]
    return all.filter(({ isOmitted }) => !isOmitted)
  }, [t, language, grouping, state, hasCards, isNarrowed, isMedium])
}
