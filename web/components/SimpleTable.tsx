// SimpleTable: a table of few columns that scrolls inside its container.
import type { ReactNode } from 'react'

export interface SimpleTableColumn<Row> {
  readonly title: string
  readonly show: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Wraps, and takes the remaining width. */
  readonly isLong?: boolean
}

interface SimpleTableProps<Row> {
  /** Id of its heading. */
  readonly labelledBy: string
  readonly columns: readonly SimpleTableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row, index: number) => string | number
}

export function SimpleTable<Row>({ labelledBy, columns, rows, keyOf }: SimpleTableProps<Row>) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-labelledby={labelledBy}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ title, show, isNumber, isLong }) => (
                <td key={title} className={isNumber ? 'number' : isLong ? 'long-text' : undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
