// LineActions: decisions on the open line, editing it, and its neighbours in the list.
import type { ApprovalAction, MaterialLineDetails } from '../../../src/app/contract/approvals.ts'
import { useState, type RefObject } from 'react'
import { useSession } from '../../api/session.ts'
import { useIsBeside } from '../../components/DetailPane.tsx'
import { Button, StepButtons } from '../../components/Button.tsx'
import { useWaitingLines } from '../../components/Outbox.tsx'
import { isTyping, isTypingInField, useShortcuts } from '../../components/shortcut-keys.ts'
import { useApprovalText } from '../../i18n/approvals.ts'
import { RejectDialog } from './ActionBar.tsx'
import type { ApprovalQueueHandle } from './approval-queue-props.ts'
import styles from './LineDetail.module.css'
import { stateNames, type Decisions } from './use-decisions.ts'

interface LineActionsProps {
  /** Undefined until loaded. */
  readonly detail: MaterialLineDetails | undefined
  readonly decisions: Decisions
  readonly queue: RefObject<ApprovalQueueHandle | null>
  readonly onEdit: () => void
}

export function LineActions({ detail, decisions, queue, onEdit }: LineActionsProps) {
  const { t, format } = useApprovalText()
  const [isRejecting, setRejecting] = useState(false)
  const line = detail?.row
  const possible = usePossibleActions(detail, decisions)
  // One button, so that it keeps the focus when the decision is made.
  const main = possible.find((action) => action === 'approve' || action === 'withdraw')
  const decide = async (action: ApprovalAction, reason: string | null = null) => {
    if (detail === undefined || decisions.isBusy) return false
    const { id, amount } = detail.row
    const readAt = action === 'withdraw' ? null : detail.readAt
    return decisions.run({ action, ids: [id], reason, readAt }, amount ?? 0)
  }

  const isBeside = useIsBeside()
  const step = (rows: 1 | -1) => queue.current?.openNeighbour(rows)
  useShortcuts(
    (event) => {
      const { key } = event
      // Beside the list, selected lines go first, and the list itself walks to the neighbours.
      const mayDecide = !isBeside || queue.current?.hasSelection() !== true
      if (isRejecting) return
      if (key === 'j' && !isBeside) step(1)
      else if (key === 'k' && !isBeside) step(-1)
      else if (key === 'a' && main === 'approve' && mayDecide) void decide('approve')
      else if (key === 'r' && possible.includes('reject') && mayDecide) setRejecting(true)
      else if (key === 'u') void decisions.undo?.()
      else return
      event.preventDefault()
    },
    isBeside ? isTyping : isTypingInField,
  )

  return (
    <div className={`actions ${styles.actions}`}>
      {main !== undefined && (
        <Button
          label={main === 'approve' ? t.approvals.approveOne : t.approvals.withdrawOne}
          isPrimary={main === 'approve'}
          onClick={() => void decide(main)}
        />
      )}
      {possible.includes('reject') && (
        <Button label={t.approvals.reject} variant="light" color="red" onClick={() => setRejecting(true)} />
      )}
      {possible.includes('edit') && <Button label={t.approvals.correct} onClick={onEdit} />}
      <StepButtons className={styles.steps} names={[t.approvals.previousLine, t.approvals.nextLine]} onStep={step} />
      {isRejecting && line !== undefined && (
        <RejectDialog
          count="1"
          sum={format.amount(line.amount ?? 0, 2)}
          decisions={decisions}
          onClose={() => setRejecting(false)}
          onReject={(reason) => decide('reject', reason)}
        />
      )}
    </div>
  )
}

type DrawerAction = ApprovalAction | 'edit'

/** What this user may do with the line now. */
function usePossibleActions(
  detail: MaterialLineDetails | undefined,
  { newStates }: Decisions,
): readonly DrawerAction[] {
  const { scopes } = useSession()
  const waiting = useWaitingLines()
  if (detail === undefined || !scopes.includes('material:approve')) return []
  const { row } = detail
  if (waiting.has(row.id)) return []
  const newState = newStates.get(row.id)
  const actions: Readonly<Record<string, readonly DrawerAction[]>> = {
    Registrert: row.isOwn ? ['edit'] : ['approve', 'reject', 'edit'],
    Avvist: ['edit'],
    Godkjent: ['withdraw'],
  }
  return actions[newState === undefined ? row.state : stateNames[newState]] ?? []
}
