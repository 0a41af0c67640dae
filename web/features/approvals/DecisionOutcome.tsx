// DecisionOutcome: how many lines were decided, undo, and lines that somebody else decided first.
import { Button } from '@mantine/core'
import type { Decided } from '../../api/approvals.ts'
import { Refusal } from '../../api/client.ts'
import { amountText, countText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import type { Deciding, Told } from './use-decisions.ts'

export function Outcome({ deciding }: { deciding: Deciding }) {
  const { say } = useText()
  const { told, undo, error, dismiss } = deciding
  return (
    <div aria-live="polite" className="outcome">
      {error !== null && (
        <div className="alert error" role="alert">
          <span>
            {error instanceof Refusal && error.code === 'Offline'
              ? say.states.offlineTitle
              : error.message}
          </span>
          <Button variant="default" onClick={dismiss}>
            {say.close}
          </Button>
        </div>
      )}
      {told !== null && (
        <div className="alert">
          {told.decided === null ? (
            <span>{say.outbox.kept}</span>
          ) : (
            <Done told={told} decided={told.decided} />
          )}
          <span className="actions">
            {undo !== null && (
              <Button variant="default" onClick={() => void undo()}>
                {say.undo}
              </Button>
            )}
            <Button variant="subtle" onClick={dismiss}>
              {say.close}
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}

interface DoneProps {
  readonly told: Told
  readonly decided: Decided
}

function Done({ told: { act, amount }, decided }: DoneProps) {
  const { say, language } = useText(approvalText, auditText, revenueText)
  const { zone } = useSession()
  const { done, others } = decided
  const codes: Readonly<Record<string, string>> = say.approvals.codes
  return (
    <div>
      <strong>
        {say.approvals.done[act](
          countText(done.length, language),
          others.length === 0 ? amountText(amount, language, 2) : null,
        )}
      </strong>
      {others.length > 0 && (
        <ul className="not-done">
          {others.slice(0, 8).map(({ id, code, by, at }) => (
            <li key={id}>
              {say.approvals.line(id)}: {codes[code] ?? code}
              {by !== null && at !== null && (
                <span className="muted">
                  {' '}
                  ({actorText(by, say)}, {momentText(at, language, zone)})
                </span>
              )}
            </li>
          ))}
          {others.length > 8 && (
            <li>{say.approvals.more(countText(others.length - 8, language))}</li>
          )}
        </ul>
      )}
    </div>
  )
}
