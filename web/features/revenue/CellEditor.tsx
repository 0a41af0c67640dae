// Inline editor of a revenue cell.
import { useState, type KeyboardEvent } from 'react'
import { parseTypedAmount, toTypedText } from '../../api/format.ts'
import { Icon } from '../../components/Icon.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import type { GridModel, GridModelCell, GridModelRow } from './grid-model.ts'
import { parsePastedEdits, type CellEdits } from './use-cell-edits.ts'
import type { CellPosition, GridNavigation } from './use-grid-navigation.ts'
import styles from './GridTable.module.css'

export interface GridCellProps {
  readonly grid: GridModel
  readonly row: GridModelRow
  readonly cell: GridModelCell
  readonly position: CellPosition
  readonly navigation: GridNavigation
  readonly cellEdits: CellEdits
  readonly onOpen: (date: string, departmentId: string) => void
}

export function CellEditor({ grid, row, cell: latest, position, navigation, cellEdits, onOpen }: GridCellProps) {
  const { t, format } = useTranslation(revenueText)
  const { departmentId } = row
  // The edit is of the amount that was shown, although others may change it meanwhile.
  const [cell] = useState(latest)
  const shown = cell.amount === null ? '' : toTypedText(cell.amount, 'nb')
  const [text, setText] = useState(shown)
  const amount = parseTypedAmount(text)
  const isWrong = text.trim() !== '' && amount === null

  const end = (step: CellPosition | null) => {
    if (amount !== null && text !== shown) void cellEdits.save([{ cell, departmentId, amount }])
    navigation.finish(position, step)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') navigation.finish(position, null)
    else if (event.key === 'Enter' && !isWrong) end({ row: 1, column: 0 })
    else if (event.key === 'Tab' && !isWrong) end({ row: 0, column: event.shiftKey ? -1 : 1 })
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
        title={isWrong ? t.revenue.notANumber(text) : undefined}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
        onBlur={({ relatedTarget }) => {
          if (!(relatedTarget instanceof HTMLElement && relatedTarget.dataset['history'])) end(null)
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/[\t\n]/.test(pasted.trim())) return
          event.preventDefault()
          void cellEdits.save(parsePastedEdits(pasted, grid, position))
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
