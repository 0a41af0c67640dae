// A grid cell: its value, or its editor.
import { amountText, dayText } from '../../api/format.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { CellEditor } from './CellEditor.tsx'
import type { GridWalk, Spot } from './use-grid-navigation.ts'
import { pastedEdits, type Saving } from './use-cell-edits.ts'
import type { Sheet, SheetCell, SheetRow } from './grid-model.ts'

interface GridCellProps {
  readonly sheet: Sheet
  readonly row: SheetRow
  readonly cell: SheetCell
  readonly spot: Spot
  readonly walk: GridWalk
  readonly saving: Saving
  readonly onOpen: (date: string, departmentId: string) => void
}

export function GridCell(props: GridCellProps) {
  const { spot, walk } = props
  const isEdited = walk.editing?.row === spot.row && walk.editing.column === spot.column
  return isEdited ? <Editor {...props} /> : <Shown {...props} />
}

function Editor({ sheet, row, cell, spot, walk, saving, onOpen }: GridCellProps) {
  const { say, language } = useText(revenueText)
  const { departmentId } = row
  return (
    <CellEditor
      cell={cell}
      label={say.revenue.cell(row.name ?? departmentId, dayText(cell.date, language), '')}
      onLeave={(step) => walk.finish(spot, step)}
      onSave={(amount, step) => {
        void saving.save([{ cell, departmentId, amount }])
        walk.finish(spot, step)
      }}
      onPaste={(text) => {
        void saving.save(pastedEdits(text, sheet, spot))
        walk.finish(spot, null)
      }}
      onHistory={() => {
        walk.stopEditing()
        onOpen(cell.date, departmentId)
      }}
    />
  )
}

function Shown({ sheet, row, cell, spot, walk }: GridCellProps) {
  const { say, language } = useText(revenueText)
  const { amount, records, before, isMissing, date } = cell
  const ofGap = isMissing ? say.revenue.missingCell : ''
  const text = amount === null ? ofGap : amountText(amount, language)
  const told = [
    text || say.revenue.emptyCell,
    ...(records > 1 ? [say.revenue.recordCount(records)] : []),
    ...(sheet.isCompared && before !== null
      ? [`${say.revenue.before} ${amountText(before, language)}`]
      : []),
  ].join(', ')
  return (
    <button
      type="button"
      className="cell"
      data-cell={`${spot.row}:${spot.column}`}
      tabIndex={walk.at.row === spot.row && walk.at.column === spot.column ? 0 : -1}
      aria-label={say.revenue.cell(row.name ?? row.departmentId, dayText(date, language), told)}
      onFocus={() => walk.setAt(spot)}
      onClick={() => walk.enter(spot)}
      onKeyDown={(event) => walk.press(event, spot)}
    >
      {text}
      {records > 1 && (
        <sup className="count" aria-hidden="true">
          {records}
        </sup>
      )}
    </button>
  )
}
