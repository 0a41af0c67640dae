// DecisionOutcome: how many lines were decided, undo, and lines that somebody else decided first.
import { QueuedNotice } from '../../components/Outbox.tsx'
import { Button } from '../../components/Button.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import type { Decisions, CompletedDecision } from './use-decisions.ts'

export function DecisionOutcome({ decisions }: { decisions: Decisions }) {
  const { t, format } = useApprovalText()
  const { last: result, undo, error, dismiss } = decisions
  const { left = 0, failure = null, done = [], others = [] } = result?.decided ?? {}
  return (
    <div aria-live="polite" className="outcome">
      {error !== null && (
        <div className="alert error" role="alert">
          <span>{error.message}</span>
          <Button label={t.close} onClick={dismiss} />
        </div>
      )}
      {failure !== null && (
        <p className="alert error" role="alert">
          {t.approvals.left(format.count(left))} {failure.message}
        </p>
      )}
      {result !== null && (
        <div className="alert">
          <div>
            {done.length + others.length > 0 && <DecisionSummary result={result} />}
            {left > 0 && failure === null && <QueuedNotice />}
          </div>
          <span className="actions">
            {undo !== null && <Button label={t.undo} onClick={() => void undo()} />}
            <Button label={t.close} variant="subtle" onClick={dismiss} />
          </span>
        </div>
      )}
    </div>
  )
}

function DecisionSummary({ result }: { result: CompletedDecision }) {
  const { t, format } = useApprovalText()
  const { action, amount, decided } = result
  const { done, others: notDone, left } = decided
  return (
    <>
      <strong>
        {t.approvals.done[action](
          format.count(done.length),
          notDone.length + left === 0 ? format.amount(amount, 2) : null,
        )}
      </strong>
      {notDone.length > 0 && (
        <ul className="not-done">
          {notDone.slice(0, 8).map(({ id, code, by, at }) => (
            <li key={id}>
              {t.approvals.line(id)}: {format.code(t.approvals.codes, code)}
              {by !== null && at !== null && (
                <span className="muted">
                  {' '}
                  ({format.actor(by)}, {format.timestamp(at)})
                </span>
              )}
            </li>
          ))}
          {notDone.length > 8 && <li>{t.approvals.more(format.count(notDone.length - 8))}</li>}
        </ul>
      )}
    </>
  )
}
