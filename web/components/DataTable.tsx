// DataTable: a server-paged table whose rows open by click or keyboard.
import { useRef, type KeyboardEvent } from 'react'
import { useShortcuts } from './shortcut-keys.ts'
import { Table, type Column } from './Table.tsx'

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
  const focusRow = (index: number) => body.current?.querySelectorAll<HTMLElement>('button.row-open')[index]?.focus()

  useShortcuts((event) => {
    const isInList = body.current?.contains(document.activeElement) ?? false
    if (isInList || rowStep(event.key) !== 1) return
    event.preventDefault()
    focusRow(0)
  })

  const walk = (event: KeyboardEvent, row: Row) => {
    const step = rowStep(event.key)
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    focusRow(Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + step)))
  }
  const [first, ...others] = columns
  if (first === undefined) return null
  const show = (row: Row) => (
    <button type="button" className="row-open" onKeyDown={(event) => walk(event, row)}>
      {first.show(row)}
    </button>
  )
  return (
    <Table
      label={label}
      className="list"
      columns={[{ ...first, show }, ...others]}
      rows={rows}
      keyOf={keyOf}
      bodyRef={body}
      rowProps={(row) => ({ className: keyOf(row) === openKey ? 'open' : undefined, onClick: () => onOpen(row) })}
    />
  )
}

function rowStep(key: string): number {
  if (key === 'j' || key === 'ArrowDown') return 1
  return key === 'k' || key === 'ArrowUp' ? -1 : 0
}
