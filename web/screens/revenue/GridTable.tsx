// The grid itself: arrow keys walk, Enter changes, Tab goes on, Escape leaves.
import { amountText, dayText } from '../../data/format.ts'
import { weekdayOf } from '../../data/days.ts'
import { classOf, Deviation } from '../../parts/Deviation.tsx'
import { useText } from '../../text/text.tsx'
import { useGridWalk } from './grid-walk.ts'
import { GridCell } from './GridCell.tsx'
import { SaveBar } from './SaveBar.tsx'
import type { Sheet, SheetCell } from './sheet.ts'
import { useSaving } from './saving.ts'
import './GridTable.css'

interface GridTableProps {
  readonly sheet: Sheet
  readonly today: string
  readonly onOpen: (date: string, departmentId: string) => void
}

export const GridTable = ({ sheet, today, onOpen }: GridTableProps) => {
  const { say, language } = useText()
  const saving = useSaving()
  const walk = useGridWalk(sheet, onOpen)
  const { days, rows, daySums, sum } = sheet
  return (
    <>
      <SaveBar saving={saving} />
      <div className={sheet.isCompared ? 'sheet grid compared' : 'sheet grid'}>
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
                    className={`${dayClass(cell.date, today)}${cell.isMissing ? ' gap' : ''}`}
                  >
                    <GridCell
                      {...{ sheet, row, cell, walk, saving, onOpen }}
                      spot={{ row: rowIndex, column }}
                    />
                    {sheet.isCompared && cell.before !== null && (
                      <small className={deviationClass(cell)} aria-hidden="true">
                        {amountText(cell.before, language)}
                      </small>
                    )}
                  </td>
                ))}
                <td className="number last">
                  {row.sum === null ? '' : amountText(row.sum, language)}
                  {sheet.isCompared && (
                    <small>
                      <Deviation amount={row.sum} before={row.sumBefore} />
                    </small>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" className="first">
                {say.total}
              </th>
              {daySums.map((amount, index) => (
                <td key={days[index]} className={`number ${dayClass(days[index] ?? '', today)}`}>
                  {amount === null ? '' : amountText(amount, language)}
                </td>
              ))}
              <td className="number last strong">
                {sum === null ? '' : amountText(sum, language)}
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  )
}

const dayClass = (day: string, today: string): string =>
  `day${weekdayOf(day) > 4 ? ' weekend' : ''}${day === today ? ' is-today' : ''}`

const deviationClass = ({ amount, before }: SheetCell): string =>
  amount === null || before === null || before === 0
    ? 'muted'
    : classOf((amount - before) / Math.abs(before))
