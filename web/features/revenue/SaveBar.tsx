// SaveBar: how many cells were saved, with undo, or the error.
import { Button } from '../../components/Button.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import type { CellEdits } from './use-cell-edits.ts'

export function SaveBar({ cellEdits }: { cellEdits: CellEdits }) {
  const { t } = useRevenueText()
  const { saved, problem, undo, error, retry, dismiss } = cellEdits
  return (
    <div aria-live="polite">
      {error !== null && (
        <div className="alert error" role="alert">
          <span>
            <strong>{t.revenue.conflict}.</strong> {error.message}
          </span>
          <span className="actions">
            {retry !== null && <Button label={t.retry} size="xs" onClick={() => void retry()} />}
            <Button label={t.close} size="xs" onClick={dismiss} />
          </span>
        </div>
      )}
      {problem !== null && (
        <div className="alert error">
          <span>{problem}</span>
          <Button label={t.close} size="xs" onClick={dismiss} />
        </div>
      )}
      {saved > 0 && (
        <div className="alert">
          <span>{t.revenue.saved(saved)}</span>
          {undo !== null && <Button label={t.undo} size="xs" onClick={() => void undo()} />}
        </div>
      )}
    </div>
  )
}
