// Re-authentication (step-up): asks for the password, then repeats the action (ADR 0039).
import { hasErrorCode } from '../api/client.ts'
import { createContext, useState, type ReactNode } from 'react'
import { loadOnDemand } from './load-on-demand.tsx'
import type { PendingReauthentication } from './ReauthenticationDialog.tsx'

const ReauthenticationDialog = loadOnDemand(
  async () => (await import('./ReauthenticationDialog.tsx')).ReauthenticationDialog,
)

/** Runs an action; repeats it after re-authentication when the server requires it. */
type RunAction = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

export const ReauthenticationContext = createContext<RunAction>((work) => work())

export function ReauthenticationProvider({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<PendingReauthentication | null>(null)
  const [run] = useState((): RunAction => async (work) => {
    try {
      return await work()
    } catch (error) {
      if (!hasErrorCode(error, 'ReauthenticationRequired')) throw error
      await new Promise<void>((resolve, reject) => {
        setPending({ onConfirmed: resolve, onCancel: () => reject(error) })
      }).finally(() => setPending(null))
      return work()
    }
  })
  return (
    <ReauthenticationContext value={run}>
      {children}
      {pending !== null && <ReauthenticationDialog {...pending} />}
    </ReauthenticationContext>
  )
}
