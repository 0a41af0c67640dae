// SessionRenewal: back into the session of the page when it has expired or another tab has replaced it, so that nothing typed is lost.
import type { Session } from '../../src/app/contract/session.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { setSessionRecovery } from '../api/client.ts'
import { sessionQuery, subscribeOtherTabs, useSignInActions } from '../api/session.ts'
import { loadOnDemand } from './load-on-demand.tsx'
import { deleteCache } from '../api/local-cache.ts'

function loadDialog() {
  return import('./SessionRenewalDialog.tsx')
}

const SessionRenewalDialog = loadOnDemand(async () => (await loadDialog()).SessionRenewalDialog)

interface Interruption {
  /** The session of another user or company; null when the session has expired. */
  readonly replacement: Session | null
  readonly onRenewed: () => void
}

export function SessionRenewal({ session }: { session: Session }) {
  const client = useQueryClient()
  const { resumeSession } = useSignInActions()
  const [interruption, setInterruption] = useState<Interruption | null>(null)
  const onOtherTab = useEffectEvent((next: Session | null) => {
    if (next?.email !== session.email || next.company !== session.company) void client.invalidateQueries(sessionQuery)
    else if (interruption !== null) void resume(interruption)
  })
  /** In the session that another tab has opened again. */
  const resume = async ({ replacement, onRenewed }: Interruption) => {
    if (!(await resumeSession())) return
    onRenewed()
    // What was loaded meanwhile may be that of the other session.
    if (replacement !== null) await client.invalidateQueries()
  }
  useEffect(() => {
    // After the first screen, and before a newer version of the app can replace it on the server.
    loadDialog().catch(() => {})
    let renewal: Promise<void> | null = null
    setSessionRecovery({
      // All requests that are rejected meanwhile wait for the same dialog, which names who has signed in since.
      ask: (replacement) => {
        if (renewal !== null && replacement !== null) setInterruption((shown) => shown && { ...shown, replacement })
        renewal ??= new Promise<void>((resolve) => {
          if (replacement === null) deleteCache()
          setInterruption({ replacement, onRenewed: resolve })
        }).finally(() => {
          renewal = null
          setInterruption(null)
        })
        return renewal
      },
      reload: () => client.fetchQuery({ ...sessionQuery, staleTime: 0 }),
    })
    const stop = subscribeOtherTabs(onOtherTab)
    return () => {
      setSessionRecovery(null)
      stop()
    }
  }, [client])
  return interruption !== null && <SessionRenewalDialog session={session} {...interruption} />
}
