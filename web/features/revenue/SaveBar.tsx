// SaveBar: how many cells were saved, with undo, or the error.
import { Button } from '@mantine/core'
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
          <Button variant="default" size="xs" onClick={dismiss}>
            {t.close}
          </Button>
        </div>
      )}
      {error === null && saved > 0 && (
        <div className="alert">
          <span>{t.revenue.saved(saved)}</span>
          {undo !== null && (
            <Button variant="default" size="xs" onClick={() => void undo()}>
              {t.undo}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
