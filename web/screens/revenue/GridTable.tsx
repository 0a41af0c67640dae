// The grid itself: arrow keys walk, Enter changes, Tab goes on, Escape leaves.
import { useRef, useState, type KeyboardEvent } from 'react'
import { amountText, dayText } from '../../data/format.ts'
import { weekdayOf } from '../../data/days.ts'
import { useSession } from '../../data/session.ts'
import { Deviation } from '../../parts/Deviation.tsx'
import { revenueText } from '../../text/revenue.ts'
import { useText } from '../../text/text.tsx'
import { CellEditor } from './CellEditor.tsx'
import { SaveBar } from './SaveBar.tsx'
import type { Compared, Sheet, SheetCell, SheetRow } from './sheet.ts'
import { pastedEdits, useSaving } from './saving.ts'
import './GridTable.css'

interface GridTableProps {
  readonly sheet: Sheet
  readonly today: string
  readonly onOpen: (date: string, departmentId: string) => void
}

interface Spot {
  readonly row: number
  readonly column: number
}

export const GridTable = ({ sheet, today, onOpen }: GridTableProps) => {
  const { say, language } = useText(revenueText)
  const { scopes, departments } = useSession()
  const table = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState<Spot>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Spot | null>(null)
  const saving = useSaving()
  const { days, rows, daySums, sum } = sheet

  const mayChange = ({ departmentId }: SheetRow, { records }: SheetCell) =>
    scopes.includes('revenue:write') &&
    records < 2 &&
    departmentId !== '' &&
    (departments === null || departments.includes(departmentId))

  const go = ({ row, column }: Spot) => {
    const spot = {
      row: Math.max(0, Math.min(rows.length - 1, row)),
      column: Math.max(0, Math.min(days.length - 1, column)),
    }
    setAt(spot)
    table.current?.querySelector<HTMLElement>(`[data-spot="${spot.row}:${spot.column}"]`)?.focus()
    return spot
  }

  const enter = (spot: Spot) => {
    const row = rows[spot.row]
    const cell = row?.cells[spot.column]
    if (row === undefined || cell === undefined) return
    setAt(spot)
    if (mayChange(row, cell)) setEditing(spot)
    else onOpen(cell.date, row.departmentId)
  }

  const walk = (event: KeyboardEvent, spot: Spot) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    go({ row: spot.row + step.row, column: spot.column + step.column })
  }

  const finish = (spot: Spot, step: Spot | null) => {
    setEditing(null)
    // The cell is a button again only after this.
    requestAnimationFrame(() => {
      const next = go(
        step === null ? spot : { row: spot.row + step.row, column: spot.column + step.column },
      )
      const row = rows[next.row]
      const cell = row?.cells[next.column]
      const isOther = next.row !== spot.row || next.column !== spot.column
      if (step !== null && step.column !== 0 && isOther && row && cell && mayChange(row, cell))
        setEditing(next)
    })
  }

  const cellOf = (row: SheetRow, cell: SheetCell, spot: Spot) => {
    const { departmentId } = row
    if (editing?.row === spot.row && editing.column === spot.column)
      return (
        <CellEditor
          cell={cell}
          label={say.revenue.cell(row.name ?? departmentId, dayText(cell.date, language), '')}
          onLeave={(step) => finish(spot, step)}
          onSave={(amount, step) => {
            void saving.save([{ cell, departmentId, amount }])
            finish(spot, step)
          }}
          onPaste={(text) => {
            void saving.save(pastedEdits(text, sheet, spot))
            finish(spot, null)
          }}
          onHistory={() => {
            setEditing(null)
            onOpen(cell.date, departmentId)
          }}
        />
      )
    const labelOf = (shown: string, { records, before }: SheetCell) =>
      [
        shown,
        ...(records > 1 ? [say.revenue.recordCount(records)] : []),
        ...(sheet.isCompared && before !== null
          ? [`${say.revenue.before} ${amountText(before, language)}`]
          : []),
      ].join(', ')
    const text =
      cell.amount === null
        ? cell.isMissing
          ? say.revenue.missingCell
          : ''
        : amountText(cell.amount, language)
    return (
      <button
        type="button"
        className="cell"
        data-spot={`${spot.row}:${spot.column}`}
        tabIndex={at.row === spot.row && at.column === spot.column ? 0 : -1}
        aria-label={say.revenue.cell(
          row.name ?? departmentId,
          dayText(cell.date, language),
          labelOf(text || say.revenue.emptyCell, cell),
        )}
        onFocus={() => setAt(spot)}
        onClick={() => enter(spot)}
        onKeyDown={(event) => walk(event, spot)}
      >
        {text}
        {cell.records > 1 && (
          <sup className="count" aria-hidden="true">
            {cell.records}
          </sup>
        )}
      </button>
    )
  }

  return (
    <>
      <SaveBar saving={saving} />
      <div className={sheet.isCompared ? 'sheet grid compared' : 'sheet grid'}>
        <table ref={table}>
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
                    {cellOf(row, cell, { row: rowIndex, column })}
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

const steps: Readonly<Record<string, Spot>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
}

const dayClass = (day: string, today: string): string =>
  `day${weekdayOf(day) > 4 ? ' weekend' : ''}${day === today ? ' is-today' : ''}`

/** The same weekday a year before, and how far from it; the cell's own name says it aloud. */
const Before = ({ told: { amount, before } }: { told: Compared }) => {
  const { language } = useText()
  if (before === null) return null
  return (
    <small aria-hidden="true">
      <span className="muted">{amountText(before, language)}</span>{' '}
      {amount !== null && before !== 0 && <Deviation amount={amount} before={before} places={0} />}
    </small>
  )
}
