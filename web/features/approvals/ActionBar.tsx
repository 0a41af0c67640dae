// ActionBar: count and sum of the selected lines, and the decisions on them.
import type { LineState } from '../../../src/app/contract/approvals.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { SentLines } from '../../api/approvals.ts'
import { useShortcuts } from '../../components/shortcut-keys.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import type { Decisions } from './use-decisions.ts'
import type { Selection } from './selection.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { LineEditForm } from './LineEditForm.tsx'
import { ReasonForm } from '../../components/ReasonForm.tsx'

interface ActionBarProps {
  readonly selection: Selection
  readonly state: LineState
  readonly decisions: Decisions
  readonly onEdited: (decided: SentLines) => void
  readonly onDecide: (action: 'approve' | 'reject' | 'withdraw', reason?: string) => Promise<void>
}

export function ActionBar({ selection, state, decisions, onEdited, onDecide }: ActionBarProps) {
  const { t, format } = useTranslation(approvalText)
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
    <section className="action-bar" aria-label={t.approvals.actions}>
      <span className="action-count" aria-live="polite">
        {t.approvals.ticked(count, sum)}
      </span>
      {state === 'registered' && (
        <>
          <Button size="sm" loading={decisions.isBusy} onClick={() => void onDecide('approve')}>
            {t.approvals.approve(count, sum)}
          </Button>
          <Button size="sm" variant="light" color="red" onClick={() => setRejecting(true)}>
            {t.approvals.reject}
          </Button>
        </>
      )}
      {state === 'approved' && (
        <Button size="sm" loading={decisions.isBusy} onClick={() => void onDecide('withdraw')}>
          {t.approvals.withdraw(count)}
        </Button>
      )}
      {(state === 'registered' || state === 'rejected') && (
        <Button size="sm" variant="default" onClick={() => setEditing(true)}>
          {t.approvals.correct}
        </Button>
      )}
      <Button size="sm" variant="subtle" className="action-clear" onClick={selection.clear}>
        {t.approvals.untick}
      </Button>
      {isEditing && (
        <Dialog title={t.approvals.correctMany(count)} onClose={() => setEditing(false)}>
          <LineEditForm
            lines={{ ...selection, ids: [...selection.ids] }}
            onClose={() => setEditing(false)}
            onEdited={onEdited}
          />
        </Dialog>
      )}
      {isRejecting && (
        <RejectDialog
          count={count}
          sum={sum}
          onClose={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            void onDecide('reject', reason)
          }}
        />
      )}
    </section>
  )
}

interface RejectDialogProps {
  readonly count: string
  readonly sum: string
  readonly onClose: () => void
  readonly onReject: (reason: string) => void
}

export function RejectDialog({ count, sum, onClose, onReject }: RejectDialogProps) {
  const { t } = useTranslation(approvalText)
  return (
    <Dialog title={t.approvals.rejectTitle(count, sum)} onClose={onClose}>
      <ReasonForm
        submit={t.approvals.rejectNow(count)}
        hint={t.approvals.reasonHint}
        suggestions={t.approvals.reasons}
        isDestructive
        onClose={onClose}
        onSubmit={onReject}
      />
    </Dialog>
  )
}
