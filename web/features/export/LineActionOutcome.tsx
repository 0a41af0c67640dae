// LineActionOutcome: how many lines were changed, and why others were not.
import { Button } from '@mantine/core'
import type { Return, Returned } from '../../api/export.ts'
import { countText } from '../../api/format.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { useText } from '../../i18n/translation.tsx'
import { whyNot } from './explain-not-possible.ts'

interface OutcomeProps {
  readonly act: Return
  readonly returned: Returned
  readonly onClose: () => void
}

export function Outcome({ act, returned: { done, others }, onClose }: OutcomeProps) {
  const { say, language } = useText(approvalText, exportText)
  return (
    <div className="outcome" aria-live="polite">
      <div className="alert">
        <div>
          <strong>{say.export.returned[act](countText(done.length, language))}</strong>
          {others.length > 0 && (
            <ul className="not-done">
              {others.slice(0, 8).map((one) => (
                <li key={one.id}>
                  {say.approvals.line(one.id)}: {whyNot(one, say)}
                </li>
              ))}
              {others.length > 8 && (
                <li>{say.approvals.more(countText(others.length - 8, language))}</li>
              )}
            </ul>
          )}
        </div>
        <Button variant="subtle" onClick={onClose}>
          {say.close}
        </Button>
      </div>
    </div>
  )
}
