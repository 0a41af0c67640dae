// SessionRenewal: signing in again over the page when the session has expired, so that nothing typed is lost.
import type { Session } from '../../src/app/contract/session.ts'
import { useEffect, useState } from 'react'
import { setSessionRenewal } from '../api/client.ts'
import { loadOnDemand } from './load-on-demand.tsx'
import { deleteCache } from '../api/local-cache.ts'

function loadDialog() {
  return import('./SessionRenewalDialog.tsx')
}

const SessionRenewalDialog = loadOnDemand(async () => (await loadDialog()).SessionRenewalDialog)

export function SessionRenewal({ session }: { session: Session }) {
  const [onRenewed, setOnRenewed] = useState<(() => void) | null>(null)
  useEffect(() => {
    // After the first screen, and before a newer version of the app can replace it on the server.
    loadDialog().catch(() => {})
    let renewal: Promise<void> | null = null
    // All requests that are rejected meanwhile wait for the same dialog.
    setSessionRenewal(() => {
      renewal ??= new Promise<void>((resolve) => {
        deleteCache()
        setOnRenewed(() => resolve)
      }).finally(() => {
        renewal = null
        setOnRenewed(null)
      })
      return renewal
    })
    return () => setSessionRenewal(null)
  }, [])
  return onRenewed !== null && <SessionRenewalDialog session={session} onRenewed={onRenewed} />
}
