// QueryStates: loading, empty, error and no access.
import { Button } from './Button.tsx'
import { useTimeout } from '@mantine/hooks'
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { hasErrorCode, RequestError } from '../api/client.ts'
import { getConnectivity, subscribeConnectivity } from '../api/connectivity.ts'
import { useSession } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.ts'
import { rolesForPath } from '../app/navigation.ts'
import { Illustration, type IllustrationName } from './Illustration.tsx'
import './QueryStates.css'

/** Nothing for 300 ms, so that fast replies do not flicker. */
export function Loading({ rows = 6 }: { rows?: number }) {
  const { t } = useTranslation()
  const [isLate, setLate] = useState(false)
  useTimeout(() => setLate(true), 300, { autoInvoke: true })
  if (!isLate) return <div className="loading" aria-busy="true" />
  return (
    <div className="loading" role="status" aria-label={t.states.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="skeleton" />
      ))}
    </div>
  )
}

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  readonly isAlert?: boolean
  readonly illustration?: IllustrationName
}

export function EmptyState(props: EmptyStateProps) {
  const { title, children, action, isAlert = false, illustration = isAlert ? 'failed' : 'empty' } = props
  return (
    <div className="state" role={isAlert ? 'alert' : undefined}>
      <Illustration name={illustration} />
      <p className="state-title">{title}</p>
      {children !== undefined && <div className="state-text">{children}</div>}
      {action}
    </div>
  )
}

/** While the server cannot be reached, retries as soon as it replies. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const retry = <Button label={t.retry} onClick={onRetry} />
  const isOffline = hasErrorCode(error, 'Offline')
  useEffect(() => (isOffline ? subscribeConnectivity(() => getConnectivity().isOffline || onRetry()) : undefined))
  if (isOffline)
    return (
      <EmptyState title={t.states.offlineTitle} action={retry} isAlert>
        {t.states.offlineText}
      </EmptyState>
    )
  if (error instanceof RequestError && error.status === 403)
    return (
      <EmptyState title={t.states.noAccessTitle} isAlert illustration="lock">
        {error.message}
      </EmptyState>
    )
  const id = error instanceof RequestError && error.code !== 'InternalError' ? error.requestId : null
  return (
    <EmptyState title={t.states.errorTitle} action={retry} isAlert>
      {error instanceof Error && error.message !== '' && <p>{error.message}</p>}
      {id !== null && (
        <p>
          {t.states.errorText} <code>{id}</code>
        </p>
      )}
    </EmptyState>
  )
}

interface NoAccessProps {
  /** For the operator of the server, whatever the role. */
  readonly isForOperator?: boolean
}

/** Which role is required, and whom to ask. */
export function NoAccess({ isForOperator = false }: NoAccessProps) {
  const { t } = useTranslation()
  const { role, company } = useSession()
  const { pathname } = useLocation()
  const needed = rolesForPath(pathname).map((one) => t.roles[one])
  return (
    <EmptyState title={t.states.noAccessTitle} illustration="lock">
      {isForOperator ? t.states.operatorOnly : t.states.noAccess(t.roles[role], needed.join(t.states.or), company)}
    </EmptyState>
  )
}

interface LoadedProps<Reply, Data, Key extends QueryKey> {
  readonly options: UseQueryOptions<Reply, Error, Data, Key>
  readonly children: (data: Data) => ReactNode
}

export function Loaded<Reply, Data, Key extends QueryKey>({ options, children }: LoadedProps<Reply, Data, Key>) {
  return <QueryStates query={useQuery(options)}>{children}</QueryStates>
}

/** Keeps showing old data while refetching; errors appear above it. */
export function QueryStates<Data>({
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
