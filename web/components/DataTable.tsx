// DataTable: a server-paged table whose rows open by click or keyboard.
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { isTyping, areShortcutsEnabled } from './shortcut-keys.ts'

export interface Column<Row> {
  readonly name: string
  readonly title: string
  readonly show: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean
}

interface DataTableProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly openKey: string | undefined
  readonly onOpen: (row: Row) => void
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, keyOf, openKey, onOpen } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const focusRow = (index: number) =>
    body.current?.querySelectorAll<HTMLElement>('button.row-open')[index]?.focus()

  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (isTyping(event) || !areShortcutsEnabled()) return
      const isInList = body.current?.contains(document.activeElement) ?? false
      if (!isInList && (event.key === 'j' || event.key === 'ArrowDown')) {
        event.preventDefault()
        focusRow(0)
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  const walk = (event: KeyboardEvent, index: number) => {
    const step = rowStep(event.key)
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    focusRow(Math.max(0, Math.min(rows.length - 1, index + step)))
  }

  return (
    <div className="table-scroll list">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ name, title, isNumber, isMinor }) => (
              <th scope="col" key={name} className={classOf(isNumber, isMinor)}>
                {title} <ApiName name={name} title={title} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row)}
              className={keyOf(row) === openKey ? 'open' : undefined}
              onClick={() => onOpen(row)}
            >
              {columns.map(({ name, show, isNumber, isMinor }, column) => (
                <td key={name} className={classOf(isNumber, isMinor)}>
                  {column === 0 ? (
                    <button
                      type="button"
                      className="row-open"
                      onKeyDown={(event) => walk(event, index)}
                    >
                      {show(row)}
                    </button>
                  ) : (
                    show(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The field's name in the API, where it differs from the title. */
export function ApiName({ name, title }: { name: string; title: string }) {
  return name === title ? null : <span className="api-name">{name}</span>
}

function rowStep(key: string): number {
  if (key === 'j' || key === 'ArrowDown') return 1
  return key === 'k' || key === 'ArrowUp' ? -1 : 0
}

function classOf(isNumber = false, isMinor = false): string {
  return `${isNumber ? 'number' : ''}${isMinor ? ' minor' : ''}`
}
