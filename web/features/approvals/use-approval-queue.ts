// useApprovalQueue: lines, keyboard, selection and decisions of the approval queue (ADR 0049).
import type { ApprovalOverview, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { useImperativeHandle, useMemo, useRef, type Ref } from 'react'
import { isUser } from '../../api/actor.ts'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { useIsBeside } from '../../components/DetailPane.tsx'
import { useHasCards } from '../../components/ColumnMenu.tsx'
import { usePendingRequests } from '../../components/Outbox.tsx'
import { sortLines } from '../../components/sort-lines.ts'
import type { TableOrder } from '../../components/Table.tsx'
import { fetchListedLines } from './approval-file.ts'
import { createListLayout } from './list-layout.ts'
import { useQueueColumns } from './queue-columns.tsx'
import { noStatus, type QueuedLine } from './QueueCells.tsx'
import { useSelection } from './selection.ts'
import type { Decisions } from './use-decisions.ts'
import { useBulkSelection } from './use-bulk-selection.ts'
import { useQueueLines } from './use-queue-lines.ts'
import { useQueueShortcuts } from './use-queue-shortcuts.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useVisibleRows } from './use-visible-rows.ts'

export interface ApprovalQueueHandle {
  /** Opens the line after the open one, or before it. */
  readonly openNeighbour: (rows: 1 | -1) => void
  readonly hasSelection: () => boolean
  readonly focusCurrentRow: () => void
}

export interface ApprovalQueueProps {
  readonly ref: Ref<ApprovalQueueHandle>
  readonly overview: ApprovalOverview
  readonly filter: ApprovalListFilter
  readonly isFetching: boolean
  readonly showsAnomaliesOnly: boolean
  /** The lines that are selected at first: all from a group summary, or those without anomalies. */
  readonly ticks: true | 'uten-avvik' | undefined
  readonly decisions: Decisions
  readonly showsOutcome: boolean
  readonly openId: number | undefined
  readonly onOpen: (id: number) => void
  readonly onSort: TableOrder['onSort']
}

export type ApprovalQueueState = ReturnType<typeof useApprovalQueue>

export function useApprovalQueue(props: ApprovalQueueProps) {
  const { ref, overview, filter, showsAnomaliesOnly, ticks, decisions, openId, onOpen, onSort } = props
  const { scopes, email, fourEyes } = useSession()
  const isBeside = useIsBeside()
  const hasCards = useHasCards()
  const { groups, anomalyCount, readAt } = overview
  const { group, sort } = filter
  const anomalies = useMemo(() => sortLines(overview.anomalies, sort), [overview.anomalies, sort])
  const isWaiting = filter.state === 'registered'
  const layout = useMemo(
    () => createListLayout(showsAnomaliesOnly ? noLines : overview, isWaiting ? anomalies : [], { group, sort }),
    [overview, showsAnomaliesOnly, anomalies, isWaiting, group, sort],
  )
  const list = useRef<HTMLDivElement>(null)
  /** Whether the open line takes a part of the width. */
  const isNarrowed = isBeside && openId !== undefined
  const { height, ...columns } = useQueueColumns(filter, { hasCards, isNarrowed })
  const { scrollTo, ...inView } = useVisibleRows(list, layout.length, height)
  const { lineOf, lineAt, whenLoaded, failed } = useQueueLines(
    filter,
    { layout, firstLines: overview.firstLines },
    inView,
  )
  const selection = useSelection(readAt)
  // Lines with a queued decision cannot be selected again.
  const pending = new Set(usePendingRequests().flatMap(({ ids }) => ids))
  const mayDecide = scopes.includes('material:approve') && filter.state !== 'exported'
  const visible = showsAnomaliesOnly ? anomalies : groups
  const total = visible.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const count = showsAnomaliesOnly ? anomalies.length : layout.lines

  const statusOf = ({ id, registeredBy }: MaterialRow) => ({
    isOwn: fourEyes && isWaiting && isUser(registeredBy, email),
    isWaiting: pending.has(id),
    newState: decisions.newStates.get(id),
    isTicked: selection.has(id),
  })
  const mayTick = (line: MaterialRow) => {
    const { isOwn, isWaiting, newState } = statusOf(line)
    return mayDecide && !isOwn && !isWaiting && newState === undefined
  }
  const decideOn = async (action: 'approve' | 'reject' | 'withdraw', reason: string | null = null) => {
    const decision = {
      action,
      ids: [...selection.ids],
      reason,
      readAt: action === 'withdraw' ? null : selection.readAt,
    }
    if (await decisions.run(decision, selection.amount)) selection.clear()
  }

  /** The lines as they are now, in the order of the list. */
  const loadFile = async (): Promise<readonly QueuedLine[]> => {
    const lines = showsAnomaliesOnly ? anomalies : await fetchListedLines(filter, groups)
    return lines.map((line) => ({ ...noStatus, line, anomalyFlags: 0, onTick: null }))
  }

  const bulk = useBulkSelection({
    selection,
    filter,
    anomalies: showsAnomaliesOnly ? anomalies : null,
    readAt,
    ticks: mayDecide && groups.length > 0 ? ticks : undefined,
  })
  const queueRows = { list, layout, ...inView, scrollTo, lineAt, whenLoaded }
  const { at, setAt, focusRow, moveTo, openNeighbour } = useRowFocus(queueRows, openId, onOpen)
  const moveFocus = (rows: 1 | -1, isTicking: boolean) => {
    const to = Math.max(0, Math.min(layout.length - 1, at + rows))
    if (isTicking)
      for (const position of [at, to])
        whenLoaded(position, (line) => {
          if (mayTick(line)) selection.add({ ids: [line.id], amounts: [line.amount], readAt })
        })
    moveTo(to)
  }
  useImperativeHandle(ref, () => ({
    openNeighbour,
    hasSelection: () => selection.ids.size > 0,
    focusCurrentRow: () => focusRow(Math.min(at, layout.length - 1)),
  }))

  useQueueShortcuts(
    (shortcut, isShifted) => {
      const rows = shortcut === 'next' ? 1 : -1
      if (shortcut === 'next' || shortcut === 'previous')
        if (openId === undefined || isShifted) moveFocus(rows, isShifted)
        else openNeighbour(rows)
      else if (shortcut === 'tick') whenLoaded(at, (line) => mayTick(line) && selection.toggle(line))
      else if (shortcut === 'open')
        whenLoaded(at, ({ id }) => {
          // The drawer restores the focus to what has it now, which need not be the row yet.
          focusRow(at)
          onOpen(id)
        })
      else if (shortcut === 'approve' && isWaiting && mayDecide) void decideOn('approve')
      // Undone there, when a line is open.
      else if (shortcut === 'undo' && openId === undefined) void decisions.undo?.()
    },
    // In a drawer over the list, an open line has shortcuts of its own.
    openId === undefined || isBeside,
  )
  return {
    ...inView,
    list,
    layout,
    filter,
    overview,
    openId,
    height,
    hasCards,
    ...columns,
    loadFile,
    /** The current row. */
    at,
    setAt,
    lineOf,
    statusOf,
    failed,
    selection,
    decisions,
    count,
    total,
    anomalyCount,
    /** Number of lines without anomalies; 0 where they are not selected apart. */
    usualCount: isWaiting && !showsAnomaliesOnly && anomalyCount > 0 ? count - anomalyCount : 0,
    mayDecide,
    decideOn,
    ...bulk,
    onOpen,
    /** Undefined for a list that is not sorted. */
    sorted: filter.state === 'exported' ? undefined : { order: sort, onSort },
  }
}

const noLines: Pick<ApprovalOverview, 'groups' | 'steps'> = { groups: [], steps: [] }
