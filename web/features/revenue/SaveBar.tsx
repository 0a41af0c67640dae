// SaveBar: how many cells were saved, with undo, or the error.
import { Button } from '../../components/Button.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import type { CellEdits } from './use-cell-edits.ts'

export function SaveBar({ cellEdits }: { cellEdits: CellEdits }) {
  const { t } = useRevenueText()
  const { saved, undo, error, dismiss } = cellEdits
  return (
    <div aria-live="polite">
      {error !== null && (
        <div className="alert error" role="alert">
          <span>
            <strong>{t.revenue.conflict}.</strong> {error.message}
          </span>
          <Button label={t.close} size="xs" onClick={dismiss} />
        </div>
      )}
      {error === null && saved > 0 && (
        <div className="alert">
          <span>{t.revenue.saved(saved)}</span>
          {undo !== null && <Button label={t.undo} size="xs" onClick={() => void undo()} />}
        </div>
      )}
    </div>
  )
}
