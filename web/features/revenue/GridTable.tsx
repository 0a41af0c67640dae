// Table of the revenue grid: arrow keys move, Enter edits, Tab continues, Escape cancels.
import { getWeekday } from '../../api/days.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import { useGridNavigation } from './use-grid-navigation.ts'
import { GridCell } from './GridCell.tsx'
import type { AmountWithPreviousYear, GridModel, GridModelRow } from './grid-model.ts'
import type { CellEdits } from './use-cell-edits.ts'
import styles from './GridTable.module.css'

interface GridTableProps {
  readonly grid: GridModel
  readonly today: string
  readonly cellEdits: CellEdits
  readonly onOpen: (date: string, departmentId: string) => void
}

export function GridTable({ grid, today, cellEdits, onOpen }: GridTableProps) {
  const { t, format } = useRevenueText()
  const navigation = useGridNavigation(grid, onOpen)
  const { days, rows, daySums, sum } = grid
  const sums = [...rows.map((row) => row.sum), ...daySums, sum]
  const isWide = grid.isCompared || sums.some(({ amount }) => format.amount(amount).length > shortAmount)
  return (
    <div
      className={grid.isCompared ? styles.compared : styles.grid}
      data-wide={isWide || undefined}
      data-month={days.length > 7 || undefined}
    >
      <table ref={navigation.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.first}>
              {t.revenue.department}
            </th>
            {days.map((day) => (
              <th scope="col" key={day} {...dayProps(day, today)}>
                <span className={styles.weekday}>{format.day(day, 'weekday')}</span>
                {format.day(day, 'digits')}
              </th>
            ))}
            <th scope="col" className={styles.last}>
              {t.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={row.departmentId}>
              <DepartmentHeader row={row} />
              {row.cells.map((cell, column) => (
                <td key={cell.date} {...dayProps(cell.date, today)} data-missing={cell.isMissing || undefined}>
                  <GridCell
                    grid={grid}
                    row={row}
                    cell={cell}
                    navigation={navigation}
                    cellEdits={cellEdits}
                    onOpen={onOpen}
                    position={{ row: rowIndex, column }}
                  />
                  <PreviousYear amounts={cell} />
                </td>
              ))}
              <td className={styles.last}>
                <Sum amounts={row.sum} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className={styles.first}>
              {t.total}
              <RowSum amount={sum.amount} />
            </th>
            {daySums.map((amounts, index) => (
              <td key={days[index]} {...dayProps(days[index] ?? '', today)}>
                <Sum amounts={amounts} />
              </td>
            ))}
            <td className={styles.last}>
              <Sum amounts={sum} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** Characters of which a phone has three columns in view, without those of last year; of longer amounts it has two. */
const shortAmount = '1 234 567'.length

function DepartmentHeader({ row: { departmentId, name, sum } }: { row: GridModelRow }) {
  const { t } = useRevenueText()
  return (
    <th scope="row" className={styles.first}>
      <span className={styles.code}>{departmentId}</span>
      {departmentId === '' ? t.revenue.withoutDepartment : (name ?? <em>{t.revenue.unknownDepartment}</em>)}
      <RowSum amount={sum.amount} />
    </th>
  )
}

function Sum({ amounts }: { amounts: AmountWithPreviousYear }) {
  const { format } = useRevenueText()
  return (
    <>
      {amounts.amount === null ? '' : format.amount(amounts.amount)}
      <PreviousYear amounts={amounts} />
    </>
  )
}

/** Shown where the column of sums is out of view. */
function RowSum({ amount }: { amount: number | null }) {
  const { format } = useRevenueText()
  return (
    <span className={styles.rowSum} aria-hidden="true">
      {format.amount(amount)}
    </span>
  )
}

function dayProps(day: string, today: string) {
  return {
    className: styles.day,
    'data-weekend': getWeekday(day) > 4 || undefined,
    'data-today': day === today || undefined,
  }
}

/** The amount of last year, and the change; part of the cell's accessible name. */
function PreviousYear({ amounts: { amount, before } }: { amounts: AmountWithPreviousYear }) {
  const { format } = useRevenueText()
  if (before === null) return null
  return (
    <small aria-hidden="true">
      <span className="muted">{format.amount(before)}</span>{' '}
      {amount !== null && before !== 0 && <YearOverYear amount={amount} before={before} places={0} />}
    </small>
  )
}
