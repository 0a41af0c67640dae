// A grid cell: its value, or its inline editor.
import { useRevenueText } from '../../i18n/revenue.ts'
import styles from './GridTable.module.css'
import { useState, type KeyboardEvent } from 'react'
import { parseTypedAmount, toTypedText } from '../../api/format.ts'
import { Icon } from '../../components/Icon.tsx'
import type { GridModel, GridModelCell, GridModelRow } from './grid-model.ts'
import { parsePastedEdits, type CellEdits } from './use-cell-edits.ts'
import type { CellPosition, GridNavigation } from './use-grid-navigation.ts'

export function GridCell(props: GridCellProps) {
  const { position, navigation } = props
  const isEdited = navigation.editing?.row === position.row && navigation.editing.column === position.column
  return isEdited ? <CellEditor {...props} /> : <GridCellButton {...props} />
}

function GridCellButton({ row, cell, position, navigation }: GridCellProps) {
  const { t, format } = useRevenueText()
  const { amount, records, before, isMissing, date } = cell
  const ofGap = isMissing ? t.revenue.missingCell : ''
  const text = amount === null ? ofGap : format.amount(amount)
  const description = [
    text || t.revenue.emptyCell,
    ...(records > 1 ? [t.revenue.recordCount(records)] : []),
    ...(before !== null ? [`${t.revenue.before} ${format.amount(before)}`] : []),
  ].join(', ')
  return (
    <button
      type="button"
      className={styles.cell}
      data-cell={`${position.row}:${position.column}`}
      tabIndex={navigation.current.row === position.row && navigation.current.column === position.column ? 0 : -1}
      aria-label={`${row.name ?? row.departmentId}, ${format.day(date)}: ${description}`}
      onFocus={() => navigation.setCurrent(position)}
      onClick={() => navigation.enter(position)}
      onKeyDown={(event) => navigation.onKeyDown(event, position)}
    >
      {text}
      {records > 1 && <sup aria-hidden="true">{records}</sup>}
    </button>
  )
}

interface GridCellProps {
  readonly grid: GridModel
  readonly row: GridModelRow
  readonly cell: GridModelCell
  readonly position: CellPosition
  readonly navigation: GridNavigation
  readonly cellEdits: CellEdits
  readonly onOpen: (date: string, departmentId: string) => void
}

function CellEditor({ grid, row, cell: latest, position, navigation, cellEdits, onOpen }: GridCellProps) {
  const { t, format, language } = useRevenueText()
  const { departmentId } = row
  // The edit is of the amount that was shown, although others may change it meanwhile.
  const [cell] = useState(latest)
  const shown = cell.amount === null ? '' : toTypedText(cell.amount, language)
  const [text, setText] = useState(shown)
  const amount = parseTypedAmount(text, language)
  const isWrong = text.trim() !== shown && amount === null

  const save = () => {
    if (isWrong) void cellEdits.save([], t.revenue.notAnAmount(text.trim()))
    else if (amount !== null && text !== shown) void cellEdits.save([{ cell, departmentId, amount }])
  }
  /** What is no amount stays in the cell, to be corrected. */
  const move = (step: CellPosition) => {
    save()
    if (!isWrong) navigation.finish(position, step)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') navigation.finish(position, null)
    else if (event.key === 'Enter') move({ row: 1, column: 0 })
    else if (event.key === 'Tab') move({ row: 0, column: event.shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className={styles.editor}>
      <input
        // Focus is expected: the user opened the cell.
        autoFocus
        inputMode="decimal"
        aria-label={`${row.name ?? departmentId}, ${format.day(cell.date)}`}
        aria-invalid={isWrong}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget instanceof HTMLElement && relatedTarget.dataset['history']) return
          save()
          navigation.finish(position, null)
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/[\t\n]/.test(pasted.trim())) return
          event.preventDefault()
          const { edits, skipped } = parsePastedEdits(pasted, language, grid, position)
          void cellEdits.save(edits, skipped === 0 ? null : t.revenue.skipped(skipped))
          navigation.finish(position, null)
        }}
      />
      <button
        type="button"
        tabIndex={-1}
        data-history="open"
        aria-label={t.revenue.history}
        title={t.revenue.history}
        onClick={() => {
          navigation.stopEditing()
          onOpen(cell.date, departmentId)
        }}
      >
        <Icon name="history" size={16} />
      </button>
    </span>
  )
}
