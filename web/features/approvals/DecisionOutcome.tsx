// DecisionOutcome: how many lines were decided, undo, and lines that somebody else decided first.
import type { DecisionResult } from '../../../src/app/contract/approvals.ts'
import { Button } from '@mantine/core'
import { formatActor } from '../../components/format-actor.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import type { Decisions, CompletedDecision } from './use-decisions.ts'

export function DecisionOutcome({ decisions }: { decisions: Decisions }) {
  const { t } = useTranslation()
  const { last: result, undo, error, dismiss } = decisions
  return (
    <div aria-live="polite" className="outcome">
      {error !== null && (
        <div className="alert error" role="alert">
          <span>{error.message}</span>
          <Button variant="default" onClick={dismiss}>
            {t.close}
          </Button>
        </div>
      )}
      {result !== null && (
        <div className="alert">
          {result.decided === null ? (
            <span>{t.outbox.queued}</span>
          ) : (
            <DecisionSummary result={result} decided={result.decided} />
          )}
          <span className="actions">
            {undo !== null && (
              <Button variant="default" onClick={() => void undo()}>
                {t.undo}
              </Button>
            )}
            <Button variant="subtle" onClick={dismiss}>
              {t.close}
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

interface DecisionSummaryProps {
  readonly result: CompletedDecision
  readonly decided: DecisionResult
}

function DecisionSummary({ result: { action, amount }, decided }: DecisionSummaryProps) {
  const { t, format } = useTranslation(approvalText, auditText, revenueText)
  const { done, others: notDone } = decided
  const codes: Readonly<Record<string, string>> = t.approvals.codes
  return (
    <div>
      <strong>
        {t.approvals.done[action](
          format.count(done.length),
          notDone.length === 0 ? format.amount(amount, 2) : null,
        )}
      </strong>
      {notDone.length > 0 && (
        <ul className="not-done">
          {notDone.slice(0, 8).map(({ id, code, by, at }) => (
            <li key={id}>
              {t.approvals.line(id)}: {codes[code] ?? code}
              {by !== null && at !== null && (
                <span className="muted">
                  {' '}
                  ({formatActor(by, t)}, {format.timestamp(at)})
                </span>
              )}
            </li>
          ))}
          {notDone.length > 8 && <li>{t.approvals.more(format.count(notDone.length - 8))}</li>}
        </ul>
      )}
    </div>
  )
}
