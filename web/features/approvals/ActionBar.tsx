// ActionBar: count and sum of the selected lines, and the decisions on them.
import { Button } from '../../components/Button.tsx'
import { useState } from 'react'
import { useShortcuts } from '../../components/shortcut-keys.ts'
import { useApprovalText } from '../../i18n/approvals.ts'
import type { ApprovalQueueState } from './use-approval-queue.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { LineEditForm } from './LineEditForm.tsx'
import type { Decisions } from './use-decisions.ts'
import { ReasonForm } from '../../components/ReasonForm.tsx'

export function ActionBar({ selection, filter: { state }, decisions, decideOn }: ApprovalQueueState) {
  const { t, format } = useApprovalText()
  const [isRejecting, setRejecting] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const count = format.count(selection.ids.size)
  const sum = format.amount(selection.amount, 2)
  useShortcuts((event) => {
    if (event.key !== 'r') return
    event.preventDefault()
    if (state === 'registered') setRejecting(true)
  })
  return (
    <section className="action-bar" aria-label={t.table.actions}>
      <span className="action-count" aria-live="polite">
        {t.approvals.ticked(count, sum)}
      </span>
      {state === 'registered' && (
        <>
          <Button
            isPrimary
            label={t.approvals.approve(count, sum)}
            size="sm"
            loading={decisions.isBusy}
            onClick={() => void decideOn('approve')}
          />
          <Button label={t.approvals.reject} size="sm" variant="light" color="red" onClick={() => setRejecting(true)} />
        </>
      )}
      {state === 'approved' && (
        <Button
          isPrimary
          label={t.approvals.withdraw(count)}
          size="sm"
          loading={decisions.isBusy}
          onClick={() => void decideOn('withdraw')}
        />
      )}
      {(state === 'registered' || state === 'rejected') && (
        <Button label={t.approvals.correct} size="sm" onClick={() => setEditing(true)} />
      )}
      <Button
        label={t.approvals.untick}
        size="sm"
        variant="subtle"
        className="action-clear"
        onClick={selection.clear}
      />
      {isEditing && (
        <Dialog title={t.approvals.correctMany(count)} onClose={() => setEditing(false)}>
          <LineEditForm
            lines={{ ...selection, ids: [...selection.ids] }}
            onClose={() => setEditing(false)}
            onEdited={(decided) => {
              decisions.reportEdit(decided)
              selection.clear()
            }}
          />
        </Dialog>
      )}
      {isRejecting && (
        <RejectDialog
          count={count}
          sum={sum}
          decisions={decisions}
          onClose={() => setRejecting(false)}
          onReject={(reason) => decideOn('reject', reason)}
        />
      )}
    </section>
  )
}

interface RejectDialogProps {
  readonly count: string
  readonly sum: string
  readonly decisions: Decisions
  readonly onClose: () => void
  /** Returns whether it was done, or queued. */
  readonly onReject: (reason: string) => Promise<boolean>
}

/** Stays open, with the reason, when the request fails. */
export function RejectDialog({ count, sum, decisions, onClose, onReject }: RejectDialogProps) {
  const { t } = useApprovalText()
  const [hasFailed, setFailed] = useState(false)
  return (
    <Dialog title={t.approvals.rejectTitle(count, sum)} onClose={onClose}>
      <ReasonForm
        submit={t.approvals.rejectNow(count)}
        hint={t.approvals.reasonHint}
        suggestions={t.approvals.reasons}
        isDestructive
        action={{ error: hasFailed ? decisions.rejectionError : null, isPending: decisions.isBusy }}
        onClose={onClose}
        onSubmit={(reason) => void onReject(reason).then((isDone) => (isDone ? onClose() : setFailed(true)))}
      />
    </Dialog>
  )
}
