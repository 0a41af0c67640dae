// useDecisions: sends decisions, keeps their outcome, and undoes approvals.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  decide,
  refreshMaterial,
  type Act,
  type Decided,
  type Deciding as Asked,
  type LineState,
} from '../../api/approvals.ts'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/translation.tsx'

export interface Told {
  readonly act: Act
  /** Null when queued until online. */
  readonly decided: Decided | null
  readonly amount: number
}

export interface Deciding {
  readonly run: (
    act: Act,
    ids: readonly number[],
    amount: number,
    reason?: string,
  ) => Promise<boolean>
  /** The last decision. */
  readonly told: Told | null
  /** Withdraws the last approval; null when there is none. */
  readonly undo: (() => Promise<void>) | null
  /** New states of lines that the list still shows with the old one. */
  readonly became: ReadonlyMap<number, LineState>
  readonly error: Error | null
  readonly isBusy: boolean
  readonly dismiss: () => void
}

export function useDeciding(): Deciding {
  const { say } = useText()
  const session = useSession()
  const client = useQueryClient()
  const [last, setLast] = useState<Told | null>(null)
  const [states, setStates] = useState<Deciding['became']>(new Map())
  const { mutateAsync, error, isPending, reset } = useMutation({
    mutationFn: (asked: Asked) =>
      decide(asked, say.outbox.decision[asked.act](asked.ids.length), session),
    onSettled: (decided, _, { act }) => {
      setStates(new Map(decided?.done.map((id) => [id, stateAfter[act]])))
      // The outcome is shown at once; the list follows.
      void refreshMaterial(client).then(() => setStates(new Map()))
    },
  })
  const run = async (
    act: Act,
    ids: readonly number[],
    amount: number,
    reason: string | null = null,
  ) => {
    if (ids.length === 0) return false
    setLast(null)
    try {
      setLast({ act, decided: await mutateAsync({ act, ids, reason }), amount })
      return true
    } catch {
      return false
    }
  }
  const approved = last?.act === 'approve' ? (last.decided?.done ?? []) : []
  return {
    run,
    told: last,
    undo:
      approved.length === 0
        ? null
        : async () => {
            await run('withdraw', approved, last?.amount ?? 0)
          },
    became: states,
    error,
    isBusy: isPending,
    dismiss: () => {
      setLast(null)
      reset()
    },
  }
}

const stateAfter: Readonly<Record<Act, LineState>> = {
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'registered',
}
