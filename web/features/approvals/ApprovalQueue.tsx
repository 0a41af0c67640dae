// ApprovalQueue: a windowed list of lines, with keyboard selection and decisions (ADR 0116).
import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import {
  idsOf,
  linesQuery,
  type Filter,
  type Line,
  type LineGroup,
  type Overview,
} from '../../api/approvals.ts'
import { amountText, countText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { isTyping, shortcutsAreOn } from '../../components/shortcut-keys.ts'
import { useWaiting } from '../../components/Outbox.tsx'
import { ErrorState } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { useText } from '../../i18n/translation.tsx'
import { ActionBar } from './ActionBar.tsx'
import { useDeciding } from './use-decisions.ts'
import { Changed } from './StaleListNotice.tsx'
import { Empty } from './EmptyApprovals.tsx'
import { Outcome } from './DecisionOutcome.tsx'
import { planOf, stretchLines, type Item, type Plan, type PlacedStretch } from './list-layout.ts'
import { GroupRow, Head, LineRow, OddHead, rowHeight, useHasCards } from './Rows.tsx'
import { useSelection } from './selection.ts'
import { useWindow } from './use-visible-rows.ts'

interface QueueProps {
  readonly overview: Overview
  readonly filter: Filter
  readonly isFetching: boolean
  readonly isOddOnly: boolean
  /** Coming from a group summary, all lines are selected, and the user deselects some. */
  readonly ticksAll: boolean
  readonly openId: number | undefined
  readonly onOpen: (id: number) => void
}

export function Queue({
  overview,
  filter,
  isFetching,
  isOddOnly,
  ticksAll,
  openId,
  onOpen,
}: QueueProps) {
  const { say, language } = useText(approvalText)
  const { scopes, email, fourEyes } = useSession()
  const hasCards = useHasCards()
  const height = rowHeight(hasCards)
  const { groups, odd, oddCount } = overview
  const isWaiting = filter.state === 'registered'
  const plan = useMemo(
    () => planOf(isOddOnly ? noLines : overview, isWaiting ? overview.odd : [], filter.group),
    [overview, isOddOnly, isWaiting, filter.group],
  )
  const oddities = useMemo(() => new Map(odd.map(({ id, oddity }) => [id, oddity])), [odd])
  const list = useRef<HTMLDivElement>(null)
  const { first, last } = useWindow(list, plan.length, height)
  const [at, setAt] = useState(0)
  const selection = useSelection()
  const deciding = useDeciding()
  // Lines with a queued decision cannot be selected again.
  const waiting = new Set(useWaiting().flatMap(({ ids }) => ids))
  const mayDecide = scopes.includes('material:approve') && filter.state !== 'exported'
  const listed = isOddOnly ? odd : groups
  const total = listed.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const count = isOddOnly ? odd.length : plan.lines

  const items = Array.from({ length: Math.max(0, last - first) }, (_, index) => ({
    position: first + index,
    item: plan.at(first + index),
  }))
  // Prefetches some screens in both directions.
  const stretches = stretchesBetween(plan, first - stretchLines / 2, last + stretchLines / 2)
  const fetched = useQueries({ queries: stretches.map((one) => linesQuery(filter, one)) })
  const failed = fetched.find(({ error }) => error !== null)
  const lineOf = (item: Item): Line | undefined => {
    if (item.kind === 'anomaly') return item.line
    if (item.kind !== 'line') return undefined
    const at = stretches.findLastIndex((one) => one.first <= item.index)
    return fetched[at]?.data?.[item.index - (stretches[at]?.first ?? 0)]
  }

  const mayTick = (line: Line) =>
    mayDecide &&
    !waiting.has(line.id) &&
    !deciding.became.has(line.id) &&
    !(fourEyes && isWaiting && line.registeredBy === email)
  const decideOn = async (act: 'approve' | 'reject' | 'withdraw', reason?: string) => {
    const isDone = await deciding.run(act, [...selection.ids], selection.amount, reason)
    if (isDone) selection.clear()
  }
  const focusRow = (position: number) =>
    list.current
      ?.querySelector<HTMLElement>(`[data-position="${position}"]`)
      ?.focus({ preventScroll: true })
  const focus = (position: number) => {
    const next = Math.max(0, Math.min(plan.length - 1, position))
    setAt(next)
    const element = list.current
    if (element === null) return
    const top = element.getBoundingClientRect().top + window.scrollY + next * height
    const isAbove = top < window.scrollY + marginAbove
    const isBelow = top + height > window.scrollY + window.innerHeight - marginBelow
    if (isAbove) window.scrollTo({ top: top - marginAbove })
    else if (isBelow) window.scrollTo({ top: top + height - window.innerHeight + marginBelow })
    // The row may have to be rendered first.
    requestAnimationFrame(() => focusRow(next))
  }
  const lineAt = (position: number): Line | undefined =>
    position < 0 || position >= plan.length ? undefined : lineOf(plan.at(position))
  const walk = (to: number, isTicking: boolean) => {
    if (isTicking)
      for (const line of [lineAt(at), lineAt(to)])
        if (line !== undefined && mayTick(line) && !selection.has(line.id)) selection.toggle(line)
    focus(to)
  }
  const chooseAll = async () =>
    selection.all(isOddOnly ? odd.map(({ id }) => id) : await idsOf(filter), total)

  const isTickingAll = ticksAll && mayDecide && groups.length > 0
  useEffect(() => {
    if (isTickingAll) void chooseAll()
    // Once: deselected lines stay deselected.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isTickingAll])

  const chooseGroup = async ({ key, amount }: LineGroup) =>
    selection.add(await idsOf(withGroup(filter, key)), amount)

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || !shortcutsAreOn()) return
      const line = lineAt(at)
      const deed = deeds(event)
      if (deed === undefined) return
      event.preventDefault()
      if (deed === 'next') walk(at + 1, event.shiftKey)
      else if (deed === 'previous') walk(at - 1, event.shiftKey)
      else if (deed === 'tick' && line !== undefined && mayTick(line)) selection.toggle(line)
      else if (deed === 'open' && line !== undefined) {
        // The drawer restores the focus to what has it now, which need not be the row yet.
        focusRow(at)
        onOpen(line.id)
      } else if (deed === 'approve' && isWaiting && mayDecide) void decideOn('approve')
      else if (deed === 'undo') void deciding.undo?.()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  if (plan.length === 0)
    return (
      <>
        <Outcome deciding={deciding} />
        <Changed filter={filter} shown={{ count: 0, amount: 0 }} isFetching={isFetching} />
        <Empty filter={filter} isOddOnly={isOddOnly} />
      </>
    )
  return (
    <>
      <Outcome deciding={deciding} />
      {!isOddOnly && (
        <Changed
          filter={filter}
          shown={{ count: plan.lines, amount: total }}
          isFetching={isFetching}
        />
      )}
      <p className="summary" aria-live="polite">
        {say.approvals.summary(
          countText(count, language),
          amountText(total, language),
          oddCount === 0 ? null : say.approvals.oddCount(countText(oddCount, language)),
        )}
        {mayDecide && (
          <Button variant="subtle" onClick={() => void chooseAll()}>
            {say.approvals.chooseAll(countText(count, language))}
          </Button>
        )}
      </p>
      {failed !== undefined && (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      <div
        className={`queue by-${filter.group}${isWaiting ? '' : ' decided'}`}
        role="table"
        aria-label={say.screens.godkjenning}
        aria-rowcount={plan.length}
      >
        {!hasCards && <Head />}
        <div
          ref={list}
          className="queue-rows"
          role="rowgroup"
          style={{ height: plan.length * height, paddingTop: first * height }}
        >
          {items.map(({ position, item }) => {
            const shared = { position, height, isCurrent: position === at }
            if (item.kind === 'anomalies-header')
              return <OddHead key="anomalies" {...shared} count={oddCount} shown={odd.length} />
            if (item.kind === 'group')
              return (
                <GroupRow
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
                oddity={oddities.get(line?.id ?? 0) ?? 0}
                grouping={filter.group}
                hasCards={hasCards}
                isOwn={fourEyes && isWaiting && line?.registeredBy === email}
                isWaiting={line !== undefined && waiting.has(line.id)}
                became={line === undefined ? undefined : deciding.became.get(line.id)}
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
          deciding={deciding}
          onDecide={decideOn}
        />
      )}
    </>
  )
}

const noLines: Pick<Overview, 'groups' | 'steps'> = { groups: [], steps: [] }

function stretchesBetween(plan: Plan, from: number, to: number): readonly PlacedStretch[] {
  const stretches: PlacedStretch[] = []
  for (let place = Math.max(0, from); place < Math.min(plan.length, to); place++) {
    const item = plan.at(place)
    if (item.kind !== 'line') continue
    const stretch = plan.stretchOf(item.index)
    if (stretches.at(-1) !== stretch) stretches.push(stretch)
  }
  return stretches
}

/** The filter of a single group. */
function withGroup(filter: Filter, key: string): Filter {
  return filter.group === 'day'
    ? { ...filter, from: key, to: key }
    : { ...filter, [filter.group]: key }
}

/** Pixels covered by the top bar and the action bar. */
const marginAbove = 110
const marginBelow = 90

type Deed = 'next' | 'previous' | 'tick' | 'open' | 'approve' | 'undo'

function deeds({ key, target }: KeyboardEvent): Deed | undefined {
  // Space and Enter activate a focused button.
  const isOnButton = target instanceof HTMLElement && target.closest('button, a') !== null
  if ((key === ' ' || key === 'Enter') && isOnButton) return undefined
  return keys[key]
}

const keys: Readonly<Record<string, Deed>> = {
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
