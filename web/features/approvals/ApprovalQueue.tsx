// ApprovalQueue: a windowed list of lines, with keyboard selection and decisions (ADR 0049).
import type { ApprovalOverview, LineGroup, MaterialRow } from '../../../src/app/contract/approvals.ts'
import { Button } from '@mantine/core'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useImperativeHandle, useMemo, useRef, useState, type Ref } from 'react'
import {
  approvalLinesQuery,
  fetchLinesWithoutAnomalies,
  fetchSelectableLines,
  type ApprovalListFilter,
} from '../../api/approvals.ts'
import { decisionIdsMax } from '../../api/id-ranges.ts'
import { useSession } from '../../api/session.ts'
import { useShortcuts } from '../../components/shortcut-keys.ts'
import { usePendingRequests } from '../../components/Outbox.tsx'
import { ErrorState } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ActionBar } from './ActionBar.tsx'
import { useDecisions } from './use-decisions.ts'
import { StaleListNotice } from './StaleListNotice.tsx'
import { EmptyApprovals } from './EmptyApprovals.tsx'
import { DecisionOutcome } from './DecisionOutcome.tsx'
import { createListLayout, linesPerRange, type ListItem, type ListLayout, type PlacedLineRange } from './list-layout.ts'
import { GroupHeader, QueueHeader, LineRow, AnomaliesHeader, rowHeight, useHasCards } from './Rows.tsx'
import { useQueueColumns } from './queue-columns.tsx'
import { useSelection } from './selection.ts'
import { useVisibleRows } from './use-visible-rows.ts'

export interface ApprovalQueueHandle {
  /** Opens the line after the open one, or before it. */
  readonly openNeighbour: (rows: 1 | -1) => void
}

interface ApprovalQueueProps {
  readonly ref: Ref<ApprovalQueueHandle>
  readonly overview: ApprovalOverview
  readonly filter: ApprovalListFilter
  readonly isFetching: boolean
  readonly showsAnomaliesOnly: boolean
  /** The lines that are selected at first: all from a group summary, or those without anomalies. */
  readonly ticks: true | 'uten-avvik' | undefined
  readonly openId: number | undefined
  readonly onOpen: (id: number) => void
}

export function ApprovalQueue({
  ref,
  overview,
  filter,
  isFetching,
  showsAnomaliesOnly,
  ticks,
  openId,
  onOpen,
}: ApprovalQueueProps) {
  const { t, format } = useTranslation(approvalText)
  const { scopes, email, fourEyes } = useSession()
  const hasCards = useHasCards()
  const height = rowHeight(hasCards)
  const columns = useQueueColumns(filter.group, filter.state, hasCards)
  const { groups, anomalies, anomalyCount } = overview
  const isWaiting = filter.state === 'registered'
  const layout = useMemo(
    () => createListLayout(showsAnomaliesOnly ? noLines : overview, isWaiting ? anomalies : [], filter.group),
    [overview, showsAnomaliesOnly, anomalies, isWaiting, filter.group],
  )
  const anomalyFlagsById = useMemo(
    () => new Map(anomalies.map(({ id, anomalyFlags }) => [id, anomalyFlags])),
    [anomalies],
  )
  const list = useRef<HTMLDivElement>(null)
  const { first, last, scrollTo } = useVisibleRows(list, layout.length, height)
  const [at, setAt] = useState(0)
  const selection = useSelection(overview.readAt)
  const decisions = useDecisions()
  const client = useQueryClient()
  // Lines with a queued decision cannot be selected again.
  const pending = new Set(usePendingRequests().flatMap(({ ids }) => ids))
  const mayDecide = scopes.includes('material:approve') && filter.state !== 'exported'
  const visible = showsAnomaliesOnly ? anomalies : groups
  const total = visible.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const count = showsAnomaliesOnly ? anomalies.length : layout.lines

  const items = Array.from({ length: Math.max(0, last - first) }, (_, index) => ({
    position: first + index,
    item: layout.at(first + index),
  }))
  // Prefetches some screens in both directions.
  const ranges = rangesBetween(layout, first - linesPerRange / 2, last + linesPerRange / 2)
  const fetched = useQueries({ queries: ranges.map((one) => approvalLinesQuery(filter, one)) })
  const failed = fetched.find(({ error }) => error !== null)
  const lineOf = (item: ListItem): MaterialRow | undefined => {
    if (item.kind === 'anomaly') return item.line
    if (item.kind !== 'line') return undefined
    const at = ranges.findLastIndex((one) => one.first <= item.index)
    return fetched[at]?.data?.[item.index - (ranges[at]?.first ?? 0)]
  }

  const mayTick = (line: MaterialRow) =>
    mayDecide &&
    !pending.has(line.id) &&
    !decisions.newStates.has(line.id) &&
    !(fourEyes && isWaiting && line.registeredBy === email)
  const decideOn = async (action: 'approve' | 'reject' | 'withdraw', reason?: string) => {
    const { ids, amount, readAt } = selection
    const isDone = await decisions.run(
      { action, ids: [...ids], reason: reason ?? null, readAt: action === 'withdraw' ? null : readAt },
      amount,
    )
    if (isDone) selection.clear()
  }
  const focusRow = (position: number) =>
    list.current?.querySelector<HTMLElement>(`[data-position="${position}"]`)?.focus({ preventScroll: true })
  const focus = (position: number) => {
    const next = Math.max(0, Math.min(layout.length - 1, position))
    setAt(next)
    scrollTo(next)
    // The row may have to be rendered first.
    requestAnimationFrame(() => focusRow(next))
  }
  const lineAt = (position: number): MaterialRow | undefined =>
    position < 0 || position >= layout.length ? undefined : lineOf(layout.at(position))
  /** Also of a line whose range is not loaded yet, so that no key is lost. */
  const whenLoaded = async (position: number, run: (line: MaterialRow) => void) => {
    const line = lineAt(position) ?? (await fetchLine(position))
    if (line !== undefined) run(line)
  }
  const fetchLine = async (position: number) => {
    if (position < 0 || position >= layout.length) return undefined
    const item = layout.at(position)
    if (item.kind !== 'line') return undefined
    const range = layout.rangeOf(item.index)
    const lines = await client.fetchQuery(approvalLinesQuery(filter, range)).catch(() => [])
    return lines[item.index - range.first]
  }
  const moveFocus = (to: number, isTicking: boolean) => {
    if (isTicking)
      for (const position of [at, to])
        void whenLoaded(position, (line) => {
          const { readAt } = overview
          if (mayTick(line)) selection.add({ ids: [line.id], amount: line.amount ?? 0, readAt })
        })
    focus(to)
  }
  const openNeighbour = (rows: 1 | -1) => {
    // An anomaly is listed twice; a line that a link opened need not be the current row.
    const opened = lineAt(at)?.id === openId ? at : items.find(({ item }) => lineOf(item)?.id === openId)?.position
    // Once the open line has left the list, the next one is in its place.
    let position = (opened ?? (rows === 1 ? at - 1 : at)) + rows
    while (isHeader(layout, position)) position += rows
    const line = lineAt(position)
    if (line === undefined) return
    setAt(position)
    scrollTo(position)
    onOpen(line.id)
  }
  useImperativeHandle(ref, () => ({ openNeighbour }))

  const chooseAll = async () =>
    selection.all(
      showsAnomaliesOnly
        ? { ids: anomalies.map(({ id }) => id), amount: total, readAt: overview.readAt }
        : await fetchSelectableLines(filter),
    )
  const chooseUsual = async () => selection.all(await fetchLinesWithoutAnomalies(filter))
  const usualCount = isWaiting && !showsAnomaliesOnly && anomalyCount > 0 ? count - anomalyCount : 0

  const ticksFirst = mayDecide && groups.length > 0 ? ticks : undefined
  useEffect(() => {
    if (ticksFirst !== undefined) void (ticksFirst === true ? chooseAll() : chooseUsual())
    // Once: deselected lines stay deselected.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ticksFirst])

  const chooseGroup = async ({ key }: LineGroup) => selection.add(await fetchSelectableLines(withGroup(filter, key)))

  useShortcuts((event) => {
    // An open line has shortcuts of its own.
    if (openId !== undefined) return
    const shortcut = getShortcut(event)
    if (shortcut === undefined) return
    event.preventDefault()
    if (shortcut === 'next') moveFocus(at + 1, event.shiftKey)
    else if (shortcut === 'previous') moveFocus(at - 1, event.shiftKey)
    else if (shortcut === 'tick') void whenLoaded(at, (line) => mayTick(line) && selection.toggle(line))
    else if (shortcut === 'open')
      void whenLoaded(at, ({ id }) => {
        // The drawer restores the focus to what has it now, which need not be the row yet.
        focusRow(at)
        onOpen(id)
      })
    else if (shortcut === 'approve' && isWaiting && mayDecide) void decideOn('approve')
    else if (shortcut === 'undo') void decisions.undo?.()
  })

  if (layout.length === 0)
    return (
      <>
        <DecisionOutcome decisions={decisions} />
        <StaleListNotice filter={filter} shown={{ count: 0, amount: 0 }} isFetching={isFetching} />
        <EmptyApprovals filter={filter} showsAnomaliesOnly={showsAnomaliesOnly} />
      </>
    )
  return (
    <>
      <DecisionOutcome decisions={decisions} />
      {!showsAnomaliesOnly && (
        <StaleListNotice filter={filter} shown={{ count: layout.lines, amount: total }} isFetching={isFetching} />
      )}
      <p className="summary" aria-live="polite">
        {t.approvals.summary(
          format.count(count),
          format.amount(total, 2),
          anomalyCount === 0 ? null : t.approvals.anomalyCount(format.count(anomalyCount)),
        )}
        {mayDecide && usualCount > 0 && (
          <Button variant="subtle" onClick={() => void chooseUsual()}>
            {t.approvals.chooseUsual(format.count(usualCount))}
          </Button>
        )}
        {mayDecide && (
          <Button variant="subtle" onClick={() => void chooseAll()}>
            {count <= decisionIdsMax
              ? t.approvals.chooseAll(format.count(count))
              : t.approvals.chooseFirst(format.count(decisionIdsMax), format.count(count))}
          </Button>
        )}
      </p>
      {failed !== undefined && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      <div
        className="queue"
        role="table"
        style={{ gridTemplateColumns: columns.map(({ width }) => width).join(' ') }}
        aria-label={t.screens.godkjenning}
        aria-rowcount={layout.length}
      >
        {!hasCards && <QueueHeader columns={columns} />}
        <div
          ref={list}
          className="queue-rows"
          role="rowgroup"
          style={{ height: layout.length * height, paddingTop: first * height }}
        >
          {items.map(({ position, item }) => {
            const shared = { position, height, isCurrent: position === at }
            if (item.kind === 'anomalies-header')
              return <AnomaliesHeader key="anomalies" {...shared} count={anomalyCount} shown={anomalies.length} />
            if (item.kind === 'group')
              return (
                <GroupHeader
                  key={`group ${item.group.key}`}
                  {...shared}
                  group={item.group}
                  grouping={filter.group}
                  onTick={mayDecide ? (group) => void chooseGroup(group) : null}
                />
              )
            const line = lineOf(item)
            return (
              <LineRow
                key={item.kind === 'anomaly' ? `anomaly ${item.line.id}` : `line ${item.index}`}
                {...shared}
                line={line}
                anomalyFlags={anomalyFlagsById.get(line?.id ?? 0) ?? 0}
                columns={columns}
                isOwn={fourEyes && isWaiting && line?.registeredBy === email}
                isWaiting={line !== undefined && pending.has(line.id)}
                newState={line === undefined ? undefined : decisions.newStates.get(line.id)}
                isTicked={line !== undefined && selection.has(line.id)}
                isOpen={line?.id === openId}
                onTick={mayDecide ? selection.toggle : null}
                onOpen={onOpen}
                onFocus={setAt}
              />
            )
          })}
        </div>
      </div>
      {mayDecide && selection.ids.size > 0 && (
        <ActionBar
          selection={selection}
          state={filter.state}
          decisions={decisions}
          onEdited={(decided) => {
            decisions.reportEdit(decided)
            selection.clear()
          }}
          onDecide={decideOn}
        />
      )}
    </>
  )
}

const noLines: Pick<ApprovalOverview, 'groups' | 'steps'> = { groups: [], steps: [] }

function rangesBetween(layout: ListLayout, from: number, to: number): readonly PlacedLineRange[] {
  const ranges: PlacedLineRange[] = []
  for (let position = Math.max(0, from); position < Math.min(layout.length, to); position++) {
    const item = layout.at(position)
    if (item.kind !== 'line') continue
    const range = layout.rangeOf(item.index)
    if (ranges.at(-1) !== range) ranges.push(range)
  }
  return ranges
}

function isHeader(layout: ListLayout, position: number): boolean {
  if (position < 0 || position >= layout.length) return false
  const { kind } = layout.at(position)
  return kind === 'group' || kind === 'anomalies-header'
}

/** The filter of a single group. */
function withGroup(filter: ApprovalListFilter, key: string): ApprovalListFilter {
  return filter.group === 'day' ? { ...filter, from: key, to: key } : { ...filter, [filter.group]: key }
}

type Shortcut = 'next' | 'previous' | 'tick' | 'open' | 'approve' | 'undo'

function getShortcut({ key, target }: KeyboardEvent): Shortcut | undefined {
  // Space and Enter activate what has the focus.
  const isOnControl = target instanceof HTMLElement && target.closest('button, a, input') !== null
  if ((key === ' ' || key === 'Enter') && isOnControl) return undefined
  return shortcutsByKey[key]
}

const shortcutsByKey: Readonly<Record<string, Shortcut>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  x: 'tick',
  ' ': 'tick',
  Enter: 'open',
  a: 'approve',
  u: 'undo',
}
