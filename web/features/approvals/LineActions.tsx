// LineActions: the decisions on the line of the drawer, and its neighbours in the list.
import type {
  ApprovalAction,
  MaterialLineDetails,
  MaterialRow,
} from '../../../src/app/contract/approvals.ts'
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Icon } from '../../components/Icon.tsx'
import { usePendingRequests } from '../../components/Outbox.tsx'
import { areShortcutsEnabled, isTypingInField } from '../../components/shortcut-keys.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { RejectDialog } from './ActionBar.tsx'
import { stateNames } from './queue-columns.tsx'
import type { Decisions } from './use-decisions.ts'

interface LineActionsProps {
  /** Undefined until loaded. */
  readonly detail: MaterialLineDetails | undefined
  readonly decisions: Decisions
  readonly onStep: (rows: 1 | -1) => void
}

export function LineActions({ detail, decisions, onStep }: LineActionsProps) {
  const { t, format } = useTranslation(approvalText)
  const [isRejecting, setRejecting] = useState(false)
  const line = detail?.row
  const state = useDecidableState(line, decisions)
  const decide = (action: ApprovalAction, reason: string | null = null) => {
    if (detail === undefined || decisions.isBusy) return
    const { id, amount } = detail.row
    const readAt = action === 'withdraw' ? null : detail.readAt
    void decisions.run({ action, ids: [id], reason, readAt }, amount ?? 0)
  }

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isRejecting || isTypingInField(event) || !areShortcutsEnabled()) return
      if (event.key === 'j') onStep(1)
      else if (event.key === 'k') onStep(-1)
      else if (event.key === 'a' && state === 'Registrert') decide('approve')
      else if (event.key === 'r' && state === 'Registrert') setRejecting(true)
      else if (event.key === 'u') void decisions.undo?.()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  return (
    <div className="line-actions">
      {/* One button, so that it keeps the focus when the decision is made. */}
      {state !== null && (
        <Button
          size="sm"
          variant={state === 'Registrert' ? 'filled' : 'default'}
          onClick={() => decide(state === 'Registrert' ? 'approve' : 'withdraw')}
        >
          {state === 'Registrert' ? t.approvals.approveOne : t.approvals.withdrawOne}
        </Button>
      )}
      {state === 'Registrert' && (
        <Button size="sm" variant="default" onClick={() => setRejecting(true)}>
          {t.approvals.reject}
        </Button>
      )}
      <Button.Group className="line-steps">
        <Button
          size="sm"
          variant="default"
          px={8}
          aria-label={t.approvals.previousLine}
          onClick={() => onStep(-1)}
        >
          <Icon name="left" />
        </Button>
        <Button
          size="sm"
          variant="default"
          px={8}
          aria-label={t.approvals.nextLine}
          onClick={() => onStep(1)}
        >
          <Icon name="right" />
        </Button>
      </Button.Group>
      {isRejecting && line !== undefined && (
        <RejectDialog
          count="1"
          sum={format.amount(line.amount ?? 0, 2)}
          onClose={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            decide('reject', reason)
          }}
        />
      )}
    </div>
  )
}

/** The state of a line that this user may decide on now; null otherwise. */
function useDecidableState(
  line: MaterialRow | undefined,
  { newStates }: Decisions,
): 'Registrert' | 'Godkjent' | null {
  const { scopes, email, fourEyes } = useSession()
  const pending = usePendingRequests()
  if (line === undefined || !scopes.includes('material:approve')) return null
  if (pending.some(({ ids }) => ids.includes(line.id))) return null
  const newState = newStates.get(line.id)
  const state = newState === undefined ? line.state : stateNames[newState]
  const isOwn = fourEyes && line.registeredBy === email
  return (state === 'Registrert' && !isOwn) || state === 'Godkjent' ? state : null
}
