// Lines of a destination: searched, sorted, opened beside the list, and selected for undo, retry, closing or return.
import type {
  ExportDestination,
  LineActionResult,
  LineListName,
  ListedLine,
  LineAction,
} from '../../../src/app/contract/export.ts'
import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { LineOrder } from '../../api/approvals.ts'
import { exportLinesQuery, type ExportLineFilter } from '../../api/export.ts'
import { useSession } from '../../api/session.ts'
import { toLineOrder, toSortParam } from '../../app/search-params.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { useIsBeside } from '../../components/DetailPane.tsx'
import { ShowMore } from '../../components/ShowMore.tsx'
import { formatActor } from '../../components/format-actor.ts'
import { QueryStates, EmptyState, NoMatch } from '../../components/QueryStates.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { SortSelect } from '../../components/SortSelect.tsx'
import type { Column, TableOrder } from '../../components/Table.tsx'
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
  const search = useSearch({ from: '/app/eksport' })
  const { liste = 'venter', sok, sorter } = search
  const navigate = useNavigate({ from: '/app/eksport' })
  const hasCards = useMediaQuery('(max-width: 64rem)') ?? false
  const list = lists[liste]
  // Every line that was ever exported would be read.
  const isSearchable = list !== 'finished'
  const filter: ExportLineFilter = {
    destination: useDestination(destinations),
    list,
    search: isSearchable ? sok : undefined,
    sort: isSearchable ? toLineOrder(sorter) : undefined,
  }
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true, resetScroll: false })
  const sorted = { order: filter.sort, onSort: (order?: LineOrder) => change({ sorter: toSortParam(order) }) }
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
          onChange={(value) => change({ liste: value })}
        />
        {isSearchable && (
          <SearchField
            label={t.approvals.search}
            value={sok ?? ''}
            onSearch={(text) => change({ sok: text || undefined })}
          />
        )}
        {isSearchable && hasCards && <SortSelect names={sortNames} {...sorted} />}
        <DestinationSelect destinations={destinations} />
      </div>
      <PagedLines
        key={JSON.stringify({ ...filter, sort: undefined })}
        filter={filter}
        sorted={isSearchable ? sorted : undefined}
      />
    </section>
  )
}

const sortNames = ['date', 'project', 'item', 'quantity', 'amount'] as const

const lists = { venter: 'waiting', feil: 'failed', ute: 'finished' } as const

/** Actions per list, the most common first. */
const actionsByList: Readonly<Record<LineListName, readonly LineAction[]>> = {
  waiting: ['closed', 'sent_back'],
  failed: ['retried', 'sent_back', 'closed'],
  finished: ['undone'],
}

interface ListProps {
  readonly filter: ExportLineFilter
  readonly sorted: TableOrder | undefined
}

function PagedLines({ filter, sorted }: ListProps) {
  const { destination, list } = filter
  const { t, format } = useTranslation(approvalText, auditText, exportText)
  const { scopes } = useSession()
  const query = useInfiniteQuery(exportLinesQuery(filter))
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [action, setAction] = useState<LineAction | null>(null)
  const [returned, setReturned] = useState<{ action: LineAction; outcome: LineActionResult } | null>(null)
  const mayAct = scopes.includes('export:undo')
  const tick = (id: number) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  return (
    <QueryStates query={query}>
      {({ pages }) => {
        // While pages are counted, a line may have moved to the next one.
        const rows = [...new Map(pages.flat().map((row) => [row.id, row])).values()]
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
            {rows.length > 0 ? (
              <LineTable rows={rows} ticked={ticked} onTick={mayAct ? tick : null} list={list} sorted={sorted} />
            ) : filter.search === undefined ? (
              <EmptyState title={t.export.emptyLists[list]}>{t.export.nothingText}</EmptyState>
            ) : (
              <NoMatch
                clear={
                  <Link from="/app/eksport" search={(last) => ({ ...last, sok: undefined })}>
                    {t.states.clearFilter}
                  </Link>
                }
              />
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

interface LineTableProps {
  readonly rows: readonly ListedLine[]
  readonly ticked: ReadonlySet<number>
  /** Null without permission to act. */
  readonly onTick: ((id: number) => void) | null
  readonly list: LineListName
  readonly sorted: TableOrder | undefined
}

function LineTable({ rows, ticked, onTick, list, sorted }: LineTableProps) {
  const { t, format } = useTranslation(exportDetailsText, approvalText, exportText)
  const navigate = useNavigate({ from: '/app/eksport' })
  const { linje } = useSearch({ from: '/app/eksport' })
  const isTablet = useMediaQuery('(min-width: 64.01rem) and (max-width: 75rem)') ?? false
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
      openKey={linje === undefined ? undefined : String(linje)}
      onOpen={({ id }) =>
        void navigate({
          search: (last) => ({ ...last, linje: id }),
          // From one line to the next, Back leads to the list.
          replace: linje !== undefined,
          resetScroll: false,
        })
      }
    />
  )
}

function ExportLineStatus({ row }: { row: ListedLine }) {
  const { t, format } = useTranslation(auditText, exportText, revenueText)
  if (row.state !== 'ready') {
    const what = row.state === 'closed' ? t.export.actions.closed : t.export.actions.acknowledged
    return row.acknowledgedAt === null ? what : `${what} ${format.timestamp(row.acknowledgedAt)}`
  }
  if (row.holder !== null) return `${t.export.stages.claimed}: ${formatActor(row.holder, t)}`
  if (row.failures > 0) {
    const failureText = t.export.failedTimes(row.failures, row.failure ?? '')
    return row.parkedAt === null ? failureText : `${t.export.parked}. ${failureText}`
  }
  return t.export.stages.ready
}
