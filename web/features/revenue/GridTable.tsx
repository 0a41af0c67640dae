// Table of the revenue grid: arrow keys move, Enter edits, Tab continues, Escape cancels.
import { getWeekday } from '../../api/days.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { useGridNavigation } from './use-grid-navigation.ts'
import { GridCell } from './GridCell.tsx'
import { SaveBar } from './SaveBar.tsx'
import type { AmountWithPreviousYear, GridModel } from './grid-model.ts'
import { useCellEdits } from './use-cell-edits.ts'
import styles from './GridTable.module.css'

interface GridTableProps {
  readonly grid: GridModel
  readonly today: string
  readonly onOpen: (date: string, departmentId: string) => void
}

export function GridTable({ grid, today, onOpen }: GridTableProps) {
  const { t, format } = useTranslation(revenueText)
  const cellEdits = useCellEdits()
  const navigation = useGridNavigation(grid, onOpen)
  const { days, rows, daySums, sum } = grid
  const amounts = [...rows.map((row) => row.sum), ...daySums.map(({ amount }) => amount), sum.amount]
  const isWide =
    grid.isCompared || amounts.some((amount) => amount !== null && format.amount(amount).length > shortAmount)
  return (
    <>
      <SaveBar cellEdits={cellEdits} />
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
                <th scope="row" className={styles.first}>
                  <span className={styles.code}>{row.departmentId}</span>
                  {row.departmentId === ''
                    ? t.revenue.withoutDepartment
                    : (row.name ?? <em>{t.revenue.unknownDepartment}</em>)}
                  <RowSum amount={row.sum} />
                </th>
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
                    {grid.isCompared && <PreviousYear amounts={cell} />}
                  </td>
                ))}
                <td className={styles.last}>
                  {row.sum === null ? '' : format.amount(row.sum)}
                  {grid.isCompared && <PreviousYear amounts={{ amount: row.sum, before: row.sumBefore }} />}
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
                  {amounts.amount === null ? '' : format.amount(amounts.amount)}
                  {grid.isCompared && <PreviousYear amounts={amounts} />}
                </td>
              ))}
              <td className={styles.last}>
                {sum.amount === null ? '' : format.amount(sum.amount)}
                {grid.isCompared && <PreviousYear amounts={sum} />}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  )
}

/** Characters of which a phone has three columns in view, without those of last year; of longer amounts it has two. */
const shortAmount = '1 234 567'.length

/** Shown where the column of sums is out of view. */
function RowSum({ amount }: { amount: number | null }) {
  const { format } = useTranslation()
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
  const { format } = useTranslation()
  if (before === null) return null
  return (
    <small aria-hidden="true">
      <span className="muted">{format.amount(before)}</span>{' '}
      {amount !== null && before !== 0 && <YearOverYear amount={amount} before={before} places={0} />}
    </small>
  )
}
