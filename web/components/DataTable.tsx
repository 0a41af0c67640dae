// DataTable: a server-paged table whose rows open by click or keyboard, and are possibly selected.
import { useRef, type KeyboardEvent } from 'react'
import { useIsBeside } from './DetailPane.tsx'
import { useShortcuts } from './shortcut-keys.ts'
import { Table, type Column, type TableOrder } from './Table.tsx'

interface DataTableProps<Row> {
  readonly label?: string
  /** Id of its heading, in place of a label. */
  readonly labelledBy?: string
  readonly rows: readonly Row[]
  /** The first one opens the row. */
  readonly columns: readonly Column<Row>[]
  /** A column of checkboxes before the others. */
  readonly tick?: Column<Row> | undefined
  readonly className?: string
  readonly sorted?: TableOrder | undefined
  readonly keyOf: (row: Row) => string
  readonly openKey: string | undefined
  readonly onOpen: (row: Row) => void
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, labelledBy, rows, columns, tick, className = '', sorted, keyOf, openKey, onOpen } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const isBeside = useIsBeside()
  const goTo = (index: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, index))
    body.current?.querySelectorAll<HTMLElement>('button.row-open')[at]?.focus()
    const row = rows[at]
    // A record beside the list follows.
    if (isBeside && openKey !== undefined && row !== undefined) onOpen(row)
  }

  useShortcuts((event) => {
    const step = rowStep(event.key)
    const open = rows.findIndex((row) => keyOf(row) === openKey)
    const isInList = document.activeElement?.matches('.row-open') ?? false
    if (isInList || step === 0 || (step === -1 && open < 0)) return
    event.preventDefault()
    goTo(open + step)
  })

  const walk = (event: KeyboardEvent, row: Row) => {
    const step = rowStep(event.key)
    if (step === 0) return
    event.preventDefault()
    event.stopPropagation()
    goTo(rows.indexOf(row) + step)
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
      labelledBy={labelledBy}
      className={`list ${className}`}
      columns={[...(tick === undefined ? [] : [tick]), { ...first, show }, ...others]}
      sorted={sorted}
      rows={rows}
      keyOf={keyOf}
      bodyRef={body}
      rowProps={(row) => ({
        className: keyOf(row) === openKey ? 'open' : undefined,
        onClick: ({ target }) => {
          const isTick = target instanceof HTMLElement && target.closest('td:has(input)') !== null
          if (!isTick) onOpen(row)
        },
      })}
    />
  )
}

function rowStep(key: string): number {
  if (key === 'j' || key === 'ArrowDown') return 1
  return key === 'k' || key === 'ArrowUp' ? -1 : 0
}
