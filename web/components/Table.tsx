// Table: rows described by columns, in a container that scrolls sideways, and sorted by a click on a title.
import { Switch } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { useTranslation } from '../i18n/translation.ts'

export interface TableColumn<Row> {
  readonly title: string
  /** Where several may have the same title. */
  readonly key?: string | undefined
  readonly show: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Wraps, and takes the remaining width. */
  readonly isLong?: boolean
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean
  /** The cell that names the row, and is the heading of its card. */
  readonly isRowHeader?: boolean
  /** The title is read aloud only. */
  readonly isTitleHidden?: boolean
  /** Classes of its cells, beside those of the properties above. */
  readonly className?: string
  /** The field's name in the API, shown where it differs from the title. */
  readonly apiName?: string
  /** What a click on the title sorts by. */
  readonly sortName?: string | undefined
}

export interface TableOrder {
  /** A column's `sortName`, with a minus for the largest first; the list's own order unless given. */
  readonly order: string | undefined
  readonly onSort: (order: string | undefined) => void
}

interface TableProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  /** Stands below the rows. */
  readonly total?: Row
  readonly keyOf: (row: Row, index: number) => string | number
  readonly label?: string | undefined
  /** Id of its heading, in place of a label. */
  readonly labelledBy?: string | undefined
  /** `cards` unless given: on phones a row is a card. */
  readonly className?: string
  readonly sorted?: TableOrder | undefined
  readonly bodyRef?: Ref<HTMLTableSectionElement>
  readonly rowProps?: (row: Row, index: number) => HTMLAttributes<HTMLTableRowElement>
}

export function Table<Row>(props: TableProps<Row>) {
  const { columns, rows, total, keyOf, label, labelledBy, className = 'cards', sorted, bodyRef, rowProps } = props
  const name = { 'aria-label': label, 'aria-labelledby': labelledBy }
  // Focusable, so that it scrolls by keyboard; rows that open have a button each.
  const isFocusable = rowProps === undefined
  return (
    <div className={`table-scroll ${className}`} {...(isFocusable && { ...name, role: 'region', tabIndex: 0 })}>
      <table {...(!isFocusable && name)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key ?? column.title}
                scope="col"
                className={headingClass(column)}
                aria-sort={getDirection(column, sorted)}
              >
                <ColumnTitle column={column} sorted={sorted} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)} {...rowProps?.(row, index)}>
              <Cells columns={columns} row={row} />
            </tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr>
              <Cells columns={columns} row={total} />
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function Cells<Row>({ columns, row }: { columns: readonly TableColumn<Row>[]; row: Row }) {
  return columns.map((column) => {
    const { key, title, isRowHeader, isTitleHidden, show } = column
    const Cell = isRowHeader ? 'th' : 'td'
    return (
      <Cell
        key={key ?? title}
        scope={isRowHeader ? 'row' : undefined}
        className={cellClass(column)}
        data-title={isTitleHidden || isRowHeader ? undefined : title}
      >
        {show(row)}
      </Cell>
    )
  })
}

export function ColumnTitle<Row>({ column, sorted }: { column: TableColumn<Row>; sorted: TableOrder | undefined }) {
  const { title, apiName, isTitleHidden, sortName } = column
  if (isTitleHidden) return <span className="visually-hidden">{title}</span>
  return (
    <>
      {sorted === undefined || sortName === undefined ? (
        title
      ) : (
        <button type="button" className="sort" onClick={() => sorted.onSort(getNextOrder(sorted.order, sortName))}>
          {title}
          <span aria-hidden>{arrows[getDirection(column, sorted) ?? 'none']}</span>
        </button>
      )}
      {apiName !== undefined && <ApiName name={apiName} title={title} />}
    </>
  )
}

const arrows = { ascending: ' ↑', descending: ' ↓', none: '' }

/** Undefined for a column that the list is not sorted by. */
export function getDirection<Row>(
  { sortName }: TableColumn<Row>,
  sorted: TableOrder | undefined,
): 'ascending' | 'descending' | undefined {
  const order = sorted?.order
  if (sortName === undefined || order?.replace(/^-/, '') !== sortName) return undefined
  return order.startsWith('-') ? 'descending' : 'ascending'
}

/** Ascending, then descending, then the list's own order again. */
function getNextOrder(order: string | undefined, name: string): string | undefined {
  if (order === name) return `-${name}`
  return order === `-${name}` ? undefined : name
}

/** The field's name in the API, where it differs from the title, if the user wants to see such names. */
export function ApiName({ name, title }: { name: string; title: string }) {
  const [isShown] = useFieldNames()
  return name === title || !isShown ? null : (
    <>
      {' '}
      <span className="api-name">{name}</span>
    </>
  )
}

/** Whether names of fields in the API are shown, in this browser. */
function useFieldNames() {
  const key = 'dagsverk-field-names'
  return useLocalStorage({ key, defaultValue: false, getInitialValueInEffect: false })
}

export function FieldNamesSwitch() {
  const { t } = useTranslation()
  const [isShown, setShown] = useFieldNames()
  return (
    <Switch label={t.fieldNames} checked={isShown} onChange={({ currentTarget }) => setShown(currentTarget.checked)} />
  )
}

export function headingClass<Row>({ isNumber, isMinor }: TableColumn<Row>): string {
  return joinClasses(isNumber && 'number', isMinor && 'minor')
}

export function cellClass<Row>(column: TableColumn<Row>): string {
  return joinClasses(headingClass(column), column.isLong && 'long-text', column.className)
}

function joinClasses(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
