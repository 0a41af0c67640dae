// ActionBar: count and sum of the selected lines, and the decisions on them.
import { Button, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { LineState } from '../../api/approvals.ts'
import { amountText, countText } from '../../api/format.ts'
import { ReasonField } from '../../components/ReasonField.tsx'
import { isTyping, shortcutsAreOn } from '../../components/shortcut-keys.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useText } from '../../i18n/translation.tsx'
import type { Deciding } from './use-decisions.ts'
import type { Selection } from './selection.ts'

interface ActionBarProps {
  readonly selection: Selection
  readonly state: LineState
  readonly deciding: Deciding
  readonly onDecide: (act: 'approve' | 'reject' | 'withdraw', reason?: string) => Promise<void>
}

export function ActionBar({ selection, state, deciding, onDecide }: ActionBarProps) {
  const { say, language } = useText(approvalText)
  const [isRejecting, setRejecting] = useState(false)
  const count = countText(selection.ids.size, language)
  const sum = amountText(selection.amount, language, 2)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'r' || isTyping(event) || !shortcutsAreOn()) return
      event.preventDefault()
      if (state === 'registered') setRejecting(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [state])
  return (
    <section className="action-bar" aria-label={say.approvals.actions}>
      <span className="action-count" aria-live="polite">
        {say.approvals.ticked(count, sum)}
      </span>
      {state === 'registered' && (
        <>
          <Button size="sm" loading={deciding.isBusy} onClick={() => void onDecide('approve')}>
            {say.approvals.approve(count, sum)}
          </Button>
          <Button size="sm" variant="default" onClick={() => setRejecting(true)}>
            {say.approvals.reject}
          </Button>
        </>
      )}
      {state === 'approved' && (
        <Button size="sm" loading={deciding.isBusy} onClick={() => void onDecide('withdraw')}>
          {say.approvals.withdraw(count)}
        </Button>
      )}
      <Button size="sm" variant="subtle" className="action-clear" onClick={selection.clear}>
        {say.approvals.untick}
      </Button>
      {isRejecting && (
        <Rejecting
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

interface RejectingProps {
  readonly count: string
  readonly sum: string
  readonly onClose: () => void
  readonly onReject: (reason: string) => void
}

function Rejecting({ count, sum, onClose, onReject }: RejectingProps) {
  const { say } = useText(approvalText)
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      title={say.approvals.rejectTitle(count, sum)}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <form
        className="rejecting"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() === '') setMissing(true)
          else onReject(reason.trim())
        }}
      >
        <ReasonField
          hint={say.approvals.reasonHint}
          reason={reason}
          isMissing={isMissing}
          onChange={setReason}
        />
        <div className="chip-list">
          {say.approvals.reasons.map((one) => (
            <button key={one} type="button" className="chip" onClick={() => setReason(one)}>
              {one}
            </button>
          ))}
        </div>
        <div className="dialog-actions">
          <Button size="sm" variant="default" onClick={onClose}>
            {say.cancel}
          </Button>
          <Button size="sm" type="submit">
            {say.approvals.rejectNow(count)}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
