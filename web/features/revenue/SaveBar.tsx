// SaveBar: how many cells were saved, with undo, or the error.
import { Button } from '@mantine/core'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import type { CellEdits } from './use-cell-edits.ts'

export function SaveBar({ cellEdits }: { cellEdits: CellEdits }) {
  const { t } = useTranslation(revenueText)
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
