// LineActionOutcome: how many lines were changed, and why others were not.
import type { LineActionResult, LineAction } from '../../../src/app/contract/export.ts'
import { Button } from '@mantine/core'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { explainNotPossible } from './explain-not-possible.ts'

interface LineActionOutcomeProps {
  readonly action: LineAction
  readonly returned: LineActionResult
  readonly onClose: () => void
}

export function LineActionOutcome({ action, returned: { done, others: notDone }, onClose }: LineActionOutcomeProps) {
  const { t, format } = useTranslation(approvalText, exportText)
  return (
    <div className="outcome" aria-live="polite">
      <div className="alert">
        <div>
          <strong>{t.export.actionDone[action](format.count(done.length))}</strong>
          {notDone.length > 0 && (
            <ul className="not-done">
              {notDone.slice(0, 8).map((one) => (
                <li key={one.id}>
                  {t.approvals.line(one.id)}: {explainNotPossible(one, t)}
                </li>
              ))}
              {notDone.length > 8 && <li>{t.approvals.more(format.count(notDone.length - 8))}</li>}
            </ul>
          )}
        </div>
        <Button variant="subtle" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </div>
  )
}
