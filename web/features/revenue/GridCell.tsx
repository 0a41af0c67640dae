// A grid cell: its value, or its editor.
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { CellEditor, type GridCellProps } from './CellEditor.tsx'
import styles from './GridTable.module.css'

export function GridCell(props: GridCellProps) {
  const { position, navigation } = props
  const isEdited = navigation.editing?.row === position.row && navigation.editing.column === position.column
  return isEdited ? <CellEditor {...props} /> : <GridCellButton {...props} />
}

function GridCellButton({ row, cell, position, navigation }: GridCellProps) {
  const { t, format } = useTranslation(revenueText)
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
