// DataTable: a list described by its columns: sorted, searched, as CSV, with rows that may open.
import { Button } from './Button.tsx'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { ColumnMenu, useColumnChoice } from './ColumnMenu.tsx'
import { CsvButton } from './CsvButton.tsx'
import { formatCell, keyOfColumn, sortNameOf, sortRows, toTableColumn, type ListColumn } from './list-columns.tsx'
import { NoRows, type NoRowsProps } from './NoRows.tsx'
import { QueryStates } from './QueryStates.tsx'
import { SearchField } from './SearchField.tsx'
import { Table, type TableColumn, type TableOrder } from './Table.tsx'
import { useRowNavigation } from './use-row-navigation.tsx'

export interface DataTableProps<Row> extends NoRowsProps {
  /** Names its file and, in this browser, the choice of columns; without a name it has neither. */
  readonly name?: string
  /** Its heading, and a text below; a list without one has a label, or the id of a heading. */
  readonly title?: string
  /** Counts and sums, after the heading. */
  readonly summary?: string
  readonly note?: ReactNode
  readonly label?: string
  readonly labelledBy?: string
  /** Filters and buttons, before those that every list has. */
  readonly tools?: ReactNode
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string | number
  readonly columns: readonly ListColumn<Row>[]
  /** Buttons of a row, each named by its label and the row. */
  readonly actions?: ((row: Row) => readonly (RowAction | false)[]) | undefined
  readonly nameOf?: (row: Row) => string
  /** All rows, where `rows` are a part; such a list is neither sorted nor searched here. */
  readonly loadAll?: () => Promise<readonly Row[]>
  /** `rows` are a part of a longer list, all of which this screen does not load: neither sorted nor searched here. */
  readonly isPartial?: boolean
  /** Loads `rows` page by page. */
  readonly query?: UseInfiniteQueryResult
  /** Of all rows, where it is known. */
  readonly count?: number | undefined
  /** A column of checkboxes before the others. */
  readonly tick?: TableColumn<Row> | undefined
  readonly className?: string
  /** The order, where the server sorts. */
  readonly sorted?: TableOrder | undefined
  readonly openKey?: string | undefined
  /** The main list of its page: j, k and the arrow keys go to its rows from anywhere on the page. */
  readonly isMain?: boolean
  /** The cell that names the row, or else the first, opens it. */
  readonly onOpen?: ((row: Row) => void) | undefined
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, title, summary, note, label, labelledBy, tools, rows, keyOf, actions, nameOf, loadAll, query } = props
  const { count, tick, className = 'cards', openKey, isMain = false, onOpen } = props
  const words = useTranslation()
  const { t } = words
  const id = useId()
  const { shown, choice, sorted, search, setSearch, isSearchable } = useShownRows(props)
  const navigation = useRowNavigation({ rows: shown, keyOf, openKey, isMain, onOpen })
  const buttons: TableColumn<Row> = {
    title: t.table.actions,
    isTitleHidden: true,
    className: 'row-actions',
    show: (row) => <RowActions actions={actions?.(row) ?? []} of={nameOf?.(row)} />,
  }
  const hasControls = name !== undefined && (rows.length > 0 || query?.isPending === true)
  const list = (
    <>
      {shown.length > 0 ? (
        <Table
          label={label}
          labelledBy={title === undefined ? labelledBy : id}
          className={onOpen === undefined ? className : `list ${className}`}
          columns={[
            ...(tick === undefined ? [] : [tick]),
            ...navigation.withOpener(choice.shown.map((one) => ({ ...toTableColumn(one, words), isMinor: false }))),
            ...(actions === undefined ? [] : [buttons]),
          ]}
          sorted={sorted}
          rows={shown}
          keyOf={keyOf}
          {...navigation.table}
        />
      ) : (
        <NoRows {...props} onClear={search === '' ? props.onClear : () => setSearch('')} />
      )}
      {query !== undefined && <ShowMore query={query} shown={rows.length} count={count} />}
    </>
  )
  const content = (
    <>
      {(title !== undefined || tools !== undefined || hasControls) && (
        <div className="toolbar table-bar">
          {title !== undefined && (
            <h2 id={id}>
              {title} <span className="muted">{summary}</span>
            </h2>
          )}
          {tools}
          {isSearchable && <SearchField label={t.table.search} value={search} onSearch={setSearch} />}
          {hasControls && (
            <div className="list-tools">
              <ColumnMenu {...choice} sorted={sorted} />
              <CsvButton name={name} columns={choice.inFile} load={loadAll ?? (() => shown)} />
            </div>
          )}
        </div>
      )}
      {note !== undefined && <p className="muted hint">{note}</p>}
      {query === undefined ? list : <QueryStates query={query}>{() => list}</QueryStates>}
    </>
  )
  if (title === undefined) return content
  return (
    <section className="page-section" aria-labelledby={id}>
      {content}
    </section>
  )
}

interface ShowMoreProps {
  readonly query: UseInfiniteQueryResult
  readonly shown: number
  readonly count: number | undefined
}

/** Loads the next page. */
function ShowMore({ query, shown, count }: ShowMoreProps) {
  const { t, format } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <div className="pager">
      {count !== undefined && <span className="muted">{t.table.shown(format.count(shown), format.count(count))}</span>}
      <Button label={t.table.more} loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} />
    </div>
  )
}

/** The columns that the user chose, and the rows: a list that is complete is searched and sorted here. */
function useShownRows<Row>({ name, rows, loadAll, isPartial = false, ...props }: DataTableProps<Row>) {
  const words = useTranslation()
  const [search, setSearch] = useState('')
  const [order, onSort] = useState<string>()
  const isComplete = props.sorted === undefined && loadAll === undefined && !isPartial
  const columns = props.columns.map((column) => ({
    ...column,
    key: column.isRowHeader ? undefined : keyOfColumn(column),
    sortName: isComplete ? sortNameOf(column) : column.sortName,
  }))
  const choice = useColumnChoice(name, columns)
  const wanted = search.toLowerCase()
  const isFound = (row: Row) => choice.shown.some((one) => formatCell(row, one, words).toLowerCase().includes(wanted))
  const found = wanted === '' ? rows : rows.filter(isFound)
  const ownOrder = rows.length > 1 ? { order, onSort } : undefined
  return {
    shown: isComplete ? sortRows(found, props.columns, order, words.language) : rows,
    choice,
    sorted: isComplete ? ownOrder : props.sorted,
    search,
    setSearch,
    isSearchable: isComplete && (rows.length > searchedRowsMin || search !== ''),
  }
}

/** A list that fits on a screen needs no search. */
const searchedRowsMin = 20

interface RowAction {
  readonly label: string
  readonly run: () => void
  readonly isBusy?: boolean
  readonly isDestructive?: boolean
}

/** `of` names the row. */
function RowActions({ actions, of }: { actions: readonly (RowAction | false)[]; of: string | undefined }) {
  return (
    <div className="actions">
      {actions.map(
        (action, index) =>
          action && (
            <Button
              label={action.label}
              key={action.label}
              size="compact-sm"
              variant={index === 0 ? 'default' : 'subtle'}
              {...(action.isDestructive === true && { color: 'red' })}
              aria-label={of === undefined ? undefined : `${action.label}: ${of}`}
              loading={action.isBusy ?? false}
              onClick={action.run}
            />
          ),
      )}
    </div>
  )
}
