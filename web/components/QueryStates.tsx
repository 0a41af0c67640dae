// QueryStates: loading, empty, no match, error and no access.
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { Refusal } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { useText } from '../i18n/translation.tsx'
import { rolesAt } from '../app/navigation.ts'
import './QueryStates.css'

/** Nothing for 300 ms, so that fast replies do not flicker. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const { say } = useText()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return <div className="loading" aria-busy="true" />
  return (
    <div className="loading" role="status" aria-label={say.states.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="skeleton" />
      ))}
    </div>
  )
}

interface StateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  readonly isAlert?: boolean
}

export function State({ title, children, action, isAlert = false }: StateProps) {
  return (
    <div className="state" role={isAlert ? 'alert' : undefined}>
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="state-text">{children}</div>}
      {action}
    </div>
  )
}

/** The filter matches nothing; `clear` is the link that resets it. */
export function NoMatch({ clear }: { clear: ReactNode }) {
  const { say } = useText()
  return (
    <State title={say.states.noMatchTitle} action={clear}>
      {say.states.noMatchText}
    </State>
  )
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { say } = useText()
  const retry = (
    <Button variant="default" onClick={onRetry}>
      {say.retry}
    </Button>
  )
  if (error instanceof Refusal && error.code === 'Offline')
    return (
      <State title={say.states.offlineTitle} action={retry} isAlert>
        {say.states.offlineText}
      </State>
    )
  if (error instanceof Refusal && error.status === 403)
    return (
      <State title={say.states.noAccessTitle} isAlert>
        {error.message}
      </State>
    )
  const id = error instanceof Refusal ? error.requestId : null
  return (
    <State title={say.states.errorTitle} action={retry} isAlert>
      {error instanceof Error && error.message !== '' && <p>{error.message}</p>}
      {id !== null && (
        <p>
          {say.states.errorText} <code>{id}</code>
        </p>
      )}
    </State>
  )
}

/** Which role is required, and whom to ask. */
export function NoAccess() {
  const { say } = useText()
  const { role, company } = useSession()
  const { pathname } = useLocation()
  const needed = rolesAt(pathname).map((one) => say.roles[one])
  return (
    <State title={say.states.noAccessTitle}>
      {say.states.noAccess(say.roles[role], needed.join(say.states.or), company)}
    </State>
  )
}

/** Keeps showing old data while refetching; errors appear above it. */
export function Fetched<Data>({
  query,
  children,
}: {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch } = query
  const isFailed = error !== null
  return (
    <>
      {isFailed && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !isFailed && <Loading />}
    </>
  )
}
