// Outbox: shows how many requests wait to be sent, and those that the server rejected.
import { Button } from './Button.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import {
  drainOutbox,
  belongsTo,
  discardPending,
  getPending,
  subscribeOutbox,
  type PendingRequest,
} from '../api/outbox.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.ts'

/** Pending requests of the current user. */
export function usePendingRequests(): readonly PendingRequest[] {
  const session = useSession()
  return useSyncExternalStore(subscribeOutbox, getPending).filter(belongsTo(session))
}

export function Outbox() {
  const { t } = useTranslation()
  const session = useSession()
  const client = useQueryClient()
  const pending = usePendingRequests()
  useEffect(
    () =>
      drainOutbox(session, {
        findSession: () => client.fetchQuery({ ...sessionQuery, staleTime: 0 }),
        onSent: () => void client.invalidateQueries({ queryKey: ['material'] }),
      }),
    [client, session],
  )
  const failed = pending.filter(({ problem }) => problem !== null)
  const count = pending.length - failed.length
  return (
    <>
      <div role="status">{count > 0 && <p className="banner">{t.outbox.pendingCount(count)}</p>}</div>
      <div role="alert">
        {failed.map(({ key, label, problem }) => (
          <div key={key} className="alert error">
            <span>
              <strong>{label}</strong>: {problem}
            </span>
            <Button label={t.outbox.discard} onClick={() => discardPending(key)} />
          </div>
        ))}
      </div>
    </>
  )
}
