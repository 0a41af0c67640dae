// Outbox: shows how many requests wait to be sent, and those that the server rejected.
import { Button } from './Button.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useEffect, useSyncExternalStore } from 'react'
import {
  drainOutbox,
  belongsTo,
  discardPending,
  getPending,
  isWaiting,
  subscribeOutbox,
  type PendingRequest,
} from '../api/outbox.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.ts'

/** The lines whose decision waits to be sent. */
export function useWaitingLines(): ReadonlySet<number> {
  return new Set(
    usePendingRequests()
      .filter(isWaiting)
      .flatMap(({ ids }) => ids),
  )
}

/** Says that a request is queued, and afterwards that it was sent. */
export function QueuedNotice() {
  const { t } = useTranslation()
  return usePendingRequests().some(isWaiting) ? t.outbox.queued : t.outbox.sent
}

/** Pending requests of the current user. */
function usePendingRequests(): readonly PendingRequest[] {
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
  const failed = pending.filter((one) => !isWaiting(one))
  const count = pending.length - failed.length
  return (
    <>
      <div role="status">{count > 0 && <p className="banner">{t.outbox.pendingCount(count)}</p>}</div>
      <div role="alert">
        {failed.map(({ key, label, problem, undecided = [] }) => (
          <div key={key} className="alert error">
            <span>
              <strong>{label}</strong>: {problem ?? t.outbox.undecided(undecided.length)}
              {undecided.slice(0, 8).map((id) => (
                <Fragment key={id}>
                  {' '}
                  <Link to="/app/godkjenning" search={{ linje: id }}>
                    {id}
                  </Link>
                </Fragment>
              ))}
              {undecided.length > 8 && ' …'}
            </span>
            <Button label={problem === null ? t.close : t.outbox.discard} onClick={() => discardPending(key)} />
          </div>
        ))}
      </div>
    </>
  )
}
