// useDecisions: sends decisions, keeps their outcome, and undoes approvals.
import type { ApprovalAction, LineState } from '../../../src/app/contract/approvals.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { decide, refreshMaterial, type DecisionRequest, type SentLines } from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { useTranslation } from '../../i18n/translation.ts'

export interface CompletedDecision {
  readonly action: ApprovalAction | 'edit'
  readonly ids: readonly number[]
  readonly decided: SentLines
  readonly amount: number
}

export type Decisions = ReturnType<typeof useDecisions>

export function useDecisions() {
  const { t } = useTranslation()
  const session = useSession()
  const client = useQueryClient()
  const [last, setLast] = useState<CompletedDecision | null>(null)
  const [states, setStates] = useState<ReadonlyMap<number, LineState>>(new Map())
  const { mutateAsync, error, isPending, variables, reset } = useMutation({
    mutationFn: (decision: DecisionRequest) =>
      decide(decision, t.outbox.decision[decision.action](decision.ids.length), session),
    onSettled: (decided, _, { action }) => {
      setStates(new Map(decided?.done.map((id) => [id, stateAfter[action]])))
      // The outcome is shown at once; the list follows.
      void refreshMaterial(client).then(() => setStates(new Map()))
    },
  })
  // A key that is pressed again, or held down, decides once.
  const isRunning = useRef(false)
  const run = async (decision: DecisionRequest, amount: number) => {
    if (decision.ids.length === 0 || isRunning.current) return false
    isRunning.current = true
    setLast(null)
    try {
      const { action, ids } = decision
      setLast({ action, ids, decided: await mutateAsync(decision), amount })
      return true
    } catch {
      return false
    } finally {
      isRunning.current = false
    }
  }
  const approved = last?.action === 'approve' ? last.decided.done : []
  return {
    /** Returns whether the server has replied, or the decision is queued. */
    run,
    reportEdit: (decided: SentLines) =>
      setLast({ action: 'edit', ids: [...decided.done, ...decided.others.map(({ id }) => id)], decided, amount: 0 }),
    last,
    /** Withdraws the last approval; null when there is none. */
    undo:
      approved.length === 0
        ? null
        : async () => {
            const withdrawal = { action: 'withdraw', ids: approved, reason: null, readAt: null } as const
            await run(withdrawal, last?.amount ?? 0)
          },
    /** New states of lines that the list still shows with the old one. */
    newStates: states,
    /** That of a rejection is shown in its dialog. */
    error: variables?.action === 'reject' ? null : error,
    rejectionError: variables?.action === 'reject' ? error : null,
    isBusy: isPending,
    dismiss: () => {
      setLast(null)
      reset()
    },
  }
}

const stateAfter: Readonly<Record<ApprovalAction, LineState>> = {
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'registered',
}

export const stateNames = {
  registered: 'Registrert',
  approved: 'Godkjent',
  rejected: 'Avvist',
  exported: 'Eksportert',
} as const satisfies Record<LineState, string>
