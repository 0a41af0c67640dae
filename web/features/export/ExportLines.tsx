// Lines of a destination: searched, sorted, opened beside the list, and selected for undo, retry, closing or return.
import { Button } from '../../components/Button.tsx'
import type { ExportDestination, LineListName, LineAction } from '../../../src/app/contract/export.ts'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { exportLinesQuery, type ExportLineFilter } from '../../api/export.ts'
import { useSession } from '../../api/session.ts'
import { toLineOrder, toSortParam } from '../../app/search-params.ts'
import { useSearchParams, type ChangeSearch } from '../../app/use-search-params.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { sortLines } from '../../components/sort-lines.ts'
import { usePages } from '../../components/use-pages.ts'
import { useExportDetailsText } from './details-i18n.ts'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { useLineAction } from './use-line-action.tsx'
import { LineTable, type LineTableProps } from './LineTable.tsx'

export function ExportLines({ destinations }: { destinations: readonly ExportDestination[] }) {
  const { t } = useExportDetailsText()
  const [{ liste = 'venter', sok, sorter }, changeSearch] = useSearchParams('/app/eksport')
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
  const tools = (
    <>
      <SegmentedControl
        aria-label={t.approvals.lists}
        value={liste}
        data={[
          { value: 'venter', label: t.export.notExported },
          { value: 'feil', label: t.export.stages.failed },
          { value: 'ute', label: t.export.stages.exported },
        ]}
        onChange={(value) => change({ liste: value })}
      />
      {isSearchable && (
        <SearchField label={t.approvals.search} value={sok ?? ''} onSearch={(text) => change({ sok: text })} />
      )}
      <DestinationSelect destinations={destinations} />
    </>
  )
  return (
    <section className="page-section" aria-labelledby="lines">
      <h2 id="lines">{t.table.lines}</h2>
      <ListedLines
        filter={filter}
        tools={tools}
        sorted={
          isSearchable ? { order: filter.sort, onSort: (order) => change({ sorter: toSortParam(order) }) } : undefined
        }
        onClear={filter.search === undefined ? undefined : () => change({ sok: undefined })}
      />
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

const noIds: ReadonlySet<number> = new Set()

interface ListedLinesProps extends Pick<LineTableProps, 'tools' | 'sorted' | 'onClear'> {
  readonly filter: ExportLineFilter
}

function ListedLines({ filter, ...props }: ListedLinesProps) {
  const { destination, list } = filter
  const { t, format } = useExportDetailsText()
  const { scopes } = useSession()
  const { query, rows, loadAll } = usePages(exportLinesQuery(filter), exportLinesQuery(filter, 'file'))
  // Another list or search has a selection of its own, another order does not.
  const listKey = JSON.stringify({ ...filter, sort: undefined })
  const [selection, setSelection] = useState({ listKey, ids: noIds })
  const ticked = selection.listKey === listKey ? selection.ids : noIds
  const setTicked = (ids: ReadonlySet<number>) => setSelection({ listKey, ids })
  const { start, outcome, dialog } = useLineAction(destination, () => setTicked(noIds))
  const mayAct = scopes.includes('export:undo')
  const tick = (id: number) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  const count = format.count(ticked.size)
  return (
    <>
      {outcome}
      <LineTable
        {...props}
        query={query}
        // While pages are counted, a line may have moved to the next one.
        rows={[...new Map(rows.map((row) => [row.id, row])).values()]}
        loadAll={async () => sortLines(await loadAll(), filter.sort)}
        ticked={ticked}
        onTick={mayAct ? tick : null}
        list={list}
      />
      {ticked.size > 0 && (
        <section className="action-bar" aria-label={t.table.actions}>
          <span className="action-count" aria-live="polite">
            {t.export.ticked(count)}
          </span>
          {actionsByList[list].map((one, index) => (
            <Button
              label={`${t.export.actionTitle[one](count)} …`}
              key={one}
              isPrimary={index === 0}
              onClick={() => start(one, ticked)}
            />
          ))}
          <Button label={t.approvals.untick} variant="subtle" onClick={() => setTicked(noIds)} />
        </section>
      )}
      {dialog}
    </>
  )
}
