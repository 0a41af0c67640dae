// Lines of a destination: searched, sorted, opened beside the list, and selected for undo, retry, closing or return.
import type { ExportDestination, LineListName, LineAction } from '../../../src/app/contract/export.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { exportLinesQuery, type ExportLineFilter } from '../../api/export.ts'
import { useSession } from '../../api/session.ts'
import { toLineOrder, toSortParam } from '../../app/search-params.ts'
import { useSearchParams, type ChangeSearch } from '../../app/use-search-params.ts'
import { ShowMore } from '../../components/ShowMore.tsx'
import { QueryStates, EmptyState, NoMatch } from '../../components/QueryStates.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { SortSelect } from '../../components/SortSelect.tsx'
import type { TableOrder } from '../../components/Table.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { useLineAction } from './use-line-action.tsx'
import { LineTable } from './LineTable.tsx'

export function ExportLines({ destinations }: { destinations: readonly ExportDestination[] }) {
  const { t } = useTranslation(approvalText, exportText)
  const [{ liste = 'venter', sok, sorter }, changeSearch] = useSearchParams('/app/eksport')
  const hasCards = useMatches('(max-width: 64rem)')
  const list = lists[liste]
  // Every line that was ever exported would be read.
  const isSearchable = list !== 'finished'
  const filter: ExportLineFilter = {
    destination: useDestination(destinations),
    list,
    search: isSearchable ? sok : undefined,
    sort: isSearchable ? toLineOrder(sorter) : undefined,
  }
  const change: ChangeSearch<'/app/eksport'> = (changes) => changeSearch(changes, { resetScroll: false })
  const sorted = { order: filter.sort, onSort: (order?: string) => change({ sorter: toSortParam(order) }) }
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
        {isSearchable && hasCards && (
          <SortSelect choices={sortNames.map((name) => [name, t.approvals.columns[name]])} {...sorted} />
        )}
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

function PagedLines({ filter, sorted }: { filter: ExportLineFilter; sorted: TableOrder | undefined }) {
  const { destination, list } = filter
  const { t, format } = useTranslation(approvalText, auditText, exportText)
  const { scopes } = useSession()
  const query = useInfiniteQuery(exportLinesQuery(filter))
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const { start, outcome, dialog } = useLineAction(destination, () => setTicked(new Set()))
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
            {outcome}
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
            <ShowMore query={query} />
            {ticked.size > 0 && (
              <section className="action-bar" aria-label={t.approvals.actions}>
                <span className="action-count" aria-live="polite">
                  {t.export.ticked(count)}
                </span>
                {actionsByList[list].map((one, index) => (
                  <Button key={one} variant={index === 0 ? 'filled' : 'default'} onClick={() => start(one, ticked)}>
                    {t.export.actionLabel[one](count)}
                  </Button>
                ))}
                <Button variant="subtle" onClick={() => setTicked(new Set())}>
                  {t.approvals.untick}
                </Button>
              </section>
            )}
            {dialog}
          </>
        )
      }}
    </QueryStates>
  )
}
