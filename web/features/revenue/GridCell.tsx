// A grid cell: its value, or its editor.
import { useState } from 'react'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { CellEditor } from './CellEditor.tsx'
import type { GridNavigation, CellPosition } from './use-grid-navigation.ts'
import { parsePastedEdits, type CellEdits } from './use-cell-edits.ts'
import type { GridModel, GridModelCell, GridModelRow } from './grid-model.ts'
import styles from './GridTable.module.css'

interface GridCellProps {
  readonly grid: GridModel
  readonly row: GridModelRow
  readonly cell: GridModelCell
  readonly position: CellPosition
  readonly navigation: GridNavigation
  readonly cellEdits: CellEdits
  readonly onOpen: (date: string, departmentId: string) => void
}

export function GridCell(props: GridCellProps) {
  const { position, navigation } = props
  const isEdited = navigation.editing?.row === position.row && navigation.editing.column === position.column
  return isEdited ? <GridCellEditor {...props} /> : <GridCellButton {...props} />
}

function GridCellEditor({ grid, row, cell: latest, position, navigation, cellEdits, onOpen }: GridCellProps) {
  const { t, format } = useTranslation(revenueText)
  const { departmentId } = row
  // The edit is of the amount that was shown, although others may change it meanwhile.
  const [cell] = useState(latest)
  return (
    <CellEditor
      cell={cell}
      label={t.revenue.cell(row.name ?? departmentId, format.day(cell.date), '')}
      onCancel={(step) => navigation.finish(position, step)}
      onSave={(amount, step) => {
        void cellEdits.save([{ cell, departmentId, amount }])
        navigation.finish(position, step)
      }}
      onPaste={(text) => {
        void cellEdits.save(parsePastedEdits(text, grid, position))
        navigation.finish(position, null)
      }}
      onHistory={() => {
        navigation.stopEditing()
        onOpen(cell.date, departmentId)
      }}
    />
  )
}

function GridCellButton({ grid, row, cell, position, navigation }: GridCellProps) {
  const { t, format } = useTranslation(revenueText)
  const { amount, records, before, isMissing, date } = cell
  const ofGap = isMissing ? t.revenue.missingCell : ''
  const text = amount === null ? ofGap : format.amount(amount)
  const description = [
    text || t.revenue.emptyCell,
    ...(records > 1 ? [t.revenue.recordCount(records)] : []),
    ...(grid.isCompared && before !== null ? [`${t.revenue.before} ${format.amount(before)}`] : []),
  ].join(', ')
  return (
    <button
      type="button"
      className={styles.cell}
      data-cell={`${position.row}:${position.column}`}
      tabIndex={navigation.current.row === position.row && navigation.current.column === position.column ? 0 : -1}
      aria-label={t.revenue.cell(row.name ?? row.departmentId, format.day(date), description)}
      onFocus={() => navigation.setCurrent(position)}
      onClick={() => navigation.enter(position)}
      onKeyDown={(event) => navigation.onKeyDown(event, position)}
    >
      {text}
      {records > 1 && <sup aria-hidden="true">{records}</sup>}
    </button>
  )
}
