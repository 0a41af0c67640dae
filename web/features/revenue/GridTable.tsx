// Table of the revenue grid: arrow keys move, Enter edits, Tab continues, Escape cancels.
import { amountText, dayText } from '../../api/format.ts'
import { weekdayOf } from '../../api/days.ts'
import { Deviation } from '../../components/YearOverYear.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { useGridWalk } from './use-grid-navigation.ts'
import { GridCell } from './GridCell.tsx'
import { SaveBar } from './SaveBar.tsx'
import type { Compared, Sheet } from './grid-model.ts'
import { useSaving } from './use-cell-edits.ts'
import './GridTable.css'

interface GridTableProps {
  readonly sheet: Sheet
  readonly today: string
  readonly onOpen: (date: string, departmentId: string) => void
}

export function GridTable({ sheet, today, onOpen }: GridTableProps) {
  const { say, language } = useText(revenueText)
  const saving = useSaving()
  const walk = useGridWalk(sheet, onOpen)
  const { days, rows, daySums, sum } = sheet
  return (
    <>
      <SaveBar saving={saving} />
      <div className={sheet.isCompared ? 'table-scroll grid compared' : 'table-scroll grid'}>
        <table ref={walk.table}>
          <thead>
            <tr>
              <th scope="col" className="first">
                {say.revenue.department}
              </th>
              {days.map((day) => (
                <th scope="col" key={day} className={dayClass(day, today)}>
                  <span className="weekday">{dayText(day, language, 'weekday')}</span>
                  {dayText(day, language, 'digits')}
                </th>
              ))}
              <th scope="col" className="number last">
                {say.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowIndex) => (
              <tr key={row.departmentId}>
                <th scope="row" className="first">
                  <span className="department-code">{row.departmentId}</span>
                  {row.departmentId === ''
                    ? say.revenue.withoutDepartment
                    : (row.name ?? <em>{say.revenue.unknownDepartment}</em>)}
                </th>
                {row.cells.map((cell, column) => (
                  <td
                    key={cell.date}
                    className={`${dayClass(cell.date, today)}${cell.isMissing ? ' missing' : ''}`}
                  >
                    <GridCell
                      sheet={sheet}
                      row={row}
                      cell={cell}
                      walk={walk}
                      saving={saving}
                      onOpen={onOpen}
                      spot={{ row: rowIndex, column }}
                    />
                    {sheet.isCompared && <Before told={cell} />}
                  </td>
                ))}
                <td className="number last">
                  {row.sum === null ? '' : amountText(row.sum, language)}
                  {sheet.isCompared && <Before told={{ amount: row.sum, before: row.sumBefore }} />}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className="first">
                {say.total}
              </th>
              {daySums.map((told, index) => (
                <td key={days[index]} className={`number ${dayClass(days[index] ?? '', today)}`}>
                  {told.amount === null ? '' : amountText(told.amount, language)}
                  {sheet.isCompared && <Before told={told} />}
                </td>
              ))}
              <td className="number last strong">
                {sum.amount === null ? '' : amountText(sum.amount, language)}
                {sheet.isCompared && <Before told={sum} />}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  )
}

function dayClass(day: string, today: string): string {
  return `day${weekdayOf(day) > 4 ? ' weekend' : ''}${day === today ? ' is-today' : ''}`
}

/** The same weekday last year, and the change; part of the cell's accessible name. */
function Before({ told: { amount, before } }: { told: Compared }) {
  const { language } = useText()
  if (before === null) return null
  return (
    <small aria-hidden="true">
      <span className="muted">{amountText(before, language)}</span>{' '}
      {amount !== null && before !== 0 && <Deviation amount={amount} before={before} places={0} />}
    </small>
  )
}
