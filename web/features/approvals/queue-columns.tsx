// Columns of the approval queue: heading, width and content of each, and the user's choice of them.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { MaterialRow, SortName } from '../../../src/app/contract/approvals.ts'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useColumnChoice, useHasCards } from '../../components/ColumnMenu.tsx'
import { useIsBeside } from '../../components/DetailPane.tsx'
import { toTableColumn, type ListColumn } from '../../components/list-columns.tsx'
import type { TableColumn } from '../../components/Table.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { useApprovalText } from '../../i18n/approvals.ts'
import { getEmployeeName } from './list-layout.ts'
import styles from './Queue.module.css'
import {
  Card,
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

type LineColumn = ListColumn<QueuedLine> & ColumnWidth & { readonly sortName?: SortName }

/** The choice, and the columns of the rows: what the group header states, and what the screen is too narrow for, is hidden. */
export function useQueueColumns(filter: ApprovalListFilter, openId: number | undefined) {
  const { t, format } = useApprovalText()
  const lineColumns = useLineColumns(filter, openId)
  const choice = useColumnChoice('godkjenning', lineColumns)
  const { shown, hasCards } = choice
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
    hasCards,
    /** Of a row in pixels; equal for all rows, so that an index gives a scroll position. */
    height: hasCards ? 92 + 22 * chosen : 36,
    /** More columns than fit for certain. */
    isWide: !hasCards && shown.some(({ isHidden }) => isHidden),
  }
}

/** No age for decided lines. */
function useLineColumns(
  { group: grouping, state }: ApprovalListFilter,
  openId: number | undefined,
): readonly LineColumn[] {
  const { t, format } = useApprovalText()
  const { today, zone } = useSession()
  const { data: departments } = useQuery(departmentsQuery)
  const hasCards = useHasCards()
  const isMedium = useMatches('(max-width: 75rem)')
  // An open line beside the list takes a part of the width, and shows the rest.
  const isNarrowed = useIsBeside() && openId !== undefined
  return useMemo(() => {
    const { columns } = t.approvals
    type Value = (line: MaterialRow) => string | number | null
    const field = (key: keyof typeof columns, width: ColumnWidth, value: Value, more: Partial<LineColumn> = {}) => {
      return { key, title: columns[key], ...width, value: ({ line }: QueuedLine) => value(line), ...more }
    }
    const hidden = (key: keyof typeof columns, value: Value) => field(key, widths.hidden, value, { isHidden: true })
    const isHeader = (name: typeof grouping) => !hasCards && grouping === name
    const all: readonly (LineColumn | false)[] = [
      hidden('id', ({ id }) => id),
      field('date', widths.date, ({ date }) => date, { sortName: 'date', type: 'day', isHidden: isHeader('day') }),
      field('employee', widths.text, (line) => getEmployeeName(line) || format.actor(getRegistrant(line)), {
        sortName: 'employee',
        isHidden: isNarrowed || isHeader('employee'),
        // Lines registered in the app have no employee.
        show: ({ line }) => getEmployeeName(line) || <span className="muted">{format.actor(getRegistrant(line))}</span>,
      }),
      hidden('employeeId', ({ employeeId }) => employeeId),
      field('project', widths.project, ({ projectName, projectId }) => projectName ?? projectId, {
        sortName: 'project',
        isHidden: isHeader('project'),
        show: ({ line: { projectName, projectId, siteName } }) => (
          <>
            {projectName ?? projectId}
            {siteName !== null && <span className="muted"> {siteName}</span>}
          </>
        ),
      }),
      hidden('projectId', ({ projectId }) => projectId),
      hidden('site', ({ siteName }) => siteName),
      hidden('department', ({ departmentId }) => departments?.get(departmentId ?? '') ?? departmentId),
      hidden('departmentId', ({ departmentId }) => departmentId),
      field('item', widths.item, getItemName, {
        // Always shown.
        key: undefined,
        sortName: 'item',
        show: (queued) => <Item {...queued} grouping={grouping} />,
      }),
      hidden('itemId', ({ itemId }) => itemId),
      field('quantity', widths.number, ({ quantity }) => quantity, {
        sortName: 'quantity',
        type: 'quantity',
        show: ({ line: { quantity, unit } }) => (
          <>
            {format.quantity(quantity)} <span className={`${styles.unit} muted`}>{unit}</span>
          </>
        ),
      }),
      hidden('unit', ({ unit }) => unit),
      field('price', widths.number, ({ salesPrice }) => salesPrice, {
        sortName: 'price',
        type: 'amount',
        isHidden: isNarrowed || hasCards,
        unknown: t.none,
      }),
      field('amount', widths.amount, ({ amount }) => amount, {
        sortName: 'amount',
        type: 'amount',
        unknown: t.none,
        className: 'strong',
      }),
      hidden('remark', ({ remark }) => remark),
      state === 'rejected' && hidden('reason', ({ rejectionReason }) => rejectionReason),
      field('source', widths.source, ({ source }) => source, { isHidden: isNarrowed || isMedium, className: 'muted' }),
      state === 'registered' &&
        field('age', widths.age, (line) => getAge(line, today, zone), {
          sortName: 'age',
          type: 'count',
          isHidden: isNarrowed,
          className: 'muted',
          show: ({ line }) => t.approvals.days(getAge(line, today, zone)),
        }),
    ]
    return all.filter((column) => column !== false)
  }, [t, format, departments, today, zone, grouping, state, hasCards, isNarrowed, isMedium])
}

const widths = {
  hidden: { width: '7.5rem' },
  date: { width: 'max-content', minWidth: '7rem' },
  text: { width: 'minmax(var(--text-min), 1fr)' },
  project: { width: 'minmax(var(--text-min), 1.4fr)' },
  item: { width: 'minmax(var(--text-min), 2fr)' },
  number: { width: 'max-content', minWidth: '5rem' },
  amount: { width: 'max-content [amount-end]', minWidth: '5rem' },
  source: { width: 'minmax(3rem, 5rem)' },
  age: { width: 'max-content', minWidth: '3.5rem' },
} as const satisfies Record<string, ColumnWidth>
