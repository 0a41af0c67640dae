// Lines of a destination, selected for undo, retry, closing or return to approval.
import type {
  ExportDestination,
  LineActionResult,
  LineListName,
  ListedLine,
  LineAction,
} from '../../../src/app/contract/export.ts'
import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { exportLinesQuery } from '../../api/export.ts'
import { useSession } from '../../api/session.ts'
import { ShowMore } from '../../components/ShowMore.tsx'
import { formatActor } from '../../components/format-actor.ts'
import { QueryStates, EmptyState } from '../../components/QueryStates.tsx'
import { Table, type Column } from '../../components/Table.tsx'
import { exportDetailsText } from './details-i18n.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { LineActionOutcome } from './LineActionOutcome.tsx'
import { UndoPreview } from './UndoPreview.tsx'

export function ExportLines({ destinations }: { destinations: readonly ExportDestination[] }) {
  const { t } = useTranslation(approvalText, exportText)
  const { liste = 'venter' } = useSearch({ from: '/app/eksport' })
  const navigate = useNavigate({ from: '/app/eksport' })
  const destination = useDestination(destinations)
  return (
    <section className="page-section" aria-labelledby="lines">
      <h2 id="lines">{t.export.lines}</h2>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.approvals.lists}
          value={liste}
          data={[
            { value: 'venter', label: t.export.waiting },
            { value: 'feil', label: t.export.failedList },
            { value: 'ute', label: t.export.finished },
          ]}
          onChange={(value) =>
            void navigate({
              search: (search) => ({ ...search, liste: value === 'ute' || value === 'feil' ? value : undefined }),
              replace: true,
            })
          }
        />
        <DestinationSelect destinations={destinations} />
      </div>
      <PagedLines key={`${destination} ${liste}`} destination={destination} list={lists[liste]} />
    </section>
  )
}

const lists = { venter: 'waiting', feil: 'failed', ute: 'finished' } as const

/** Actions per list, the most common first. */
const actionsByList: Readonly<Record<LineListName, readonly LineAction[]>> = {
  waiting: ['closed', 'sent_back'],
  failed: ['retried', 'sent_back', 'closed'],
  finished: ['undone'],
}

interface ListProps {
  readonly destination: number
  readonly list: LineListName
}

function PagedLines({ destination, list }: ListProps) {
  const { t, format } = useTranslation(approvalText, auditText, exportText)
  const { scopes } = useSession()
  const query = useInfiniteQuery(exportLinesQuery(destination, list))
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [action, setAction] = useState<LineAction | null>(null)
  const [returned, setReturned] = useState<{ action: LineAction; outcome: LineActionResult } | null>(null)
  const isFinished = list === 'finished'
  const mayAct = scopes.includes('export:undo')
  const tick = (id: number) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  return (
    <QueryStates query={query}>
      {({ pages }) => {
        const rows = pages.flat()
        const count = format.count(ticked.size)
        return (
          <>
            {returned !== null && (
              <LineActionOutcome
                action={returned.action}
                returned={returned.outcome}
                onClose={() => setReturned(null)}
              />
            )}
            {rows.length === 0 ? (
              <EmptyState title={t.export.emptyLists[list]}>{t.export.nothingText}</EmptyState>
            ) : (
              <LineTable rows={rows} ticked={ticked} onTick={mayAct ? tick : null} isFinished={isFinished} />
            )}
            <ShowMore query={query}>{t.audit.older}</ShowMore>
            {ticked.size > 0 && (
              <section className="action-bar" aria-label={t.approvals.actions}>
                <span className="action-count" aria-live="polite">
                  {t.export.ticked(count)}
                </span>
                {actionsByList[list].map((one, index) => (
                  <Button key={one} variant={index === 0 ? 'filled' : 'default'} onClick={() => setAction(one)}>
                    {t.export.actionLabel[one](count)}
                  </Button>
                ))}
                <Button variant="subtle" onClick={() => setTicked(new Set())}>
                  {t.approvals.untick}
                </Button>
              </section>
            )}
            {action !== null && (
              <UndoPreview
                action={action}
                destination={destination}
                ids={[...ticked].toSorted((a, b) => a - b)}
                onClose={() => setAction(null)}
                onDone={(outcome) => {
                  setAction(null)
                  setTicked(new Set())
                  setReturned({ action, outcome })
                }}
              />
            )}
          </>
        )
      }}
    </QueryStates>
  )
}

interface TableProps {
  readonly rows: readonly ListedLine[]
  readonly ticked: ReadonlySet<number>
  /** Null without permission to act. */
  readonly onTick: ((id: number) => void) | null
  readonly isFinished: boolean
}

function LineTable({ rows, ticked, onTick, isFinished }: TableProps) {
  const { t, format } = useTranslation(exportDetailsText, approvalText, exportText)
  const navigate = useNavigate({ from: '/app/eksport' })
  const { columns } = t.approvals
  const tickColumn: Column<ListedLine> = {
    title: columns.tick,
    isTitleHidden: true,
    show: ({ id }) => (
      <Checkbox
        aria-label={`${columns.tick} ${t.approvals.line(id)}`}
        checked={ticked.has(id)}
        onChange={() => onTick?.(id)}
      />
    ),
  }
  const externalIdColumn: Column<ListedLine> = {
    title: t.export.externalId,
    isLong: true,
    show: ({ externalId }) => <code>{externalId ?? t.none}</code>,
  }
  return (
    <Table
      labelledBy="lines"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        ...(onTick === null ? [] : [tickColumn]),
        {
          title: t.export.columns.which,
          isNumber: true,
          show: ({ id }) => (
            <button
              type="button"
              className="row-open"
              aria-label={t.exportDetails.openLine(id)}
              onClick={() => void navigate({ search: (last) => ({ ...last, linje: id }) })}
            >
              {id}
            </button>
          ),
        },
        { title: columns.date, show: ({ date }) => format.day(date) },
        { title: columns.item, isLong: true, show: ({ itemName, itemId }) => itemName ?? itemId },
        {
          title: columns.quantity,
          isNumber: true,
          show: ({ quantity, unit }) => `${format.quantity(quantity)} ${unit ?? ''}`,
        },
        {
          title: columns.amount,
          isNumber: true,
          show: ({ amount }) => (amount === null ? t.none : format.amount(amount, 2)),
        },
        ...(isFinished ? [externalIdColumn] : []),
        { title: t.export.status, isLong: true, show: (row) => <ExportLineStatus row={row} /> },
      ]}
    />
  )
}

function ExportLineStatus({ row }: { row: ListedLine }) {
  const { t, format } = useTranslation(auditText, exportText, revenueText)
  if (row.state !== 'ready') {
    const what = row.state === 'closed' ? t.export.actions.closed : t.export.actions.acknowledged
    return row.acknowledgedAt === null
      ? what
      : `${what} ${format.timestamp(row.acknowledgedAt)}, ${formatActor(row.acknowledgedBy ?? '', t)}`
  }
  if (row.holder !== null) return `${t.export.stages.claimed}: ${formatActor(row.holder, t)}`
  if (row.failures > 0) {
    const failureText = t.export.failedTimes(row.failures, row.failure ?? '')
    return row.parkedAt === null ? failureText : `${t.export.parked}. ${failureText}`
  }
  return t.export.stages.ready
}
