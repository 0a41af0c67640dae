// Outbox: shows how many requests wait to be sent, and those that the server rejected.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import {
  emptyOutbox,
  isOf,
  takeBack,
  waitingNow,
  watchWaiting,
  type Waiting,
} from '../api/outbox.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { useText } from '../i18n/translation.tsx'

/** Pending requests of the current user. */
export function useWaiting(): readonly Waiting[] {
  const session = useSession()
  return useSyncExternalStore(watchWaiting, waitingNow).filter(isOf(session))
}

export function Outbox() {
  const { say } = useText()
  const session = useSession()
  const client = useQueryClient()
  const waiting = useWaiting()
  useEffect(
    () =>
      emptyOutbox(session, {
        findSession: () => client.fetchQuery({ ...sessionQuery, staleTime: 0 }),
        onSent: () => void client.invalidateQueries({ queryKey: ['material'] }),
      }),
    [client, session],
  )
  const refused = waiting.filter(({ problem }) => problem !== null)
  const count = waiting.length - refused.length
  return (
    <>
      <div role="status">{count > 0 && <p className="banner">{say.outbox.waiting(count)}</p>}</div>
      <div role="alert">
        {refused.map(({ key, label, problem }) => (
          <div key={key} className="alert error">
            <span>
              <strong>{label}</strong>: {problem}
            </span>
            <Button variant="default" onClick={() => takeBack(key)}>
              {say.outbox.drop}
            </Button>
          </div>
        ))}
      </div>
    </>
  )
}
