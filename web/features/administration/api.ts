// Queries and actions of the administration screen.
import { useReauthentication } from '../../components/Reauthenticate.tsx'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { request, get } from '../../api/client.ts'
import type { RejectedCallSummary } from './api-call-log.ts'
import type { Role } from '../../api/session.ts'

/** A rule that alerts administrators by e-mail. */
export interface AlertRule {
  /** Allowed time without activity; 0 switches the rule off. */
  readonly hours: number
  /** Since when the alert is active. */
  readonly raisedAt: number | null
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly state: 'live' | 'expired' | 'revoked'
  readonly scopes: readonly string[]
  readonly addresses: readonly string[] | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  /** Last successful call, accurate to about a minute. */
  readonly succeededAt: number | null
  readonly refused: RejectedCallSummary | null
  /** Null without an alert rule. */
  readonly watch: AlertRule | null
}

export interface Person {
  readonly id: number
  readonly email: string
  /** Null for a user that was added by command line. */
  readonly name: string | null
  readonly role: Role
  readonly departments: readonly string[] | null
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Null without a second factor. */
  readonly factorSince: number | null
}

/** A pending invitation. */
export interface Invitation {
  readonly id: number
  readonly email: string
  readonly role: Role
  readonly departments: readonly string[] | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Administration {
  /** All existing scopes. */
  readonly scopes: readonly string[]
  readonly keys: readonly ApiKey[]
  readonly people: readonly Person[]
  readonly invitations: readonly Invitation[]
  readonly sendsMail: boolean
  readonly exportWatch: AlertRule
  readonly zone: string
  readonly currency: string
  readonly settings: Readonly<Record<string, boolean>>
}

export const administrationQuery = queryOptions({
  queryKey: ['administration'],
  queryFn: () => get<Administration>('/app/data/administrasjon'),
  staleTime: 10_000,
})

/** Shown once; the server does not store it. */
export interface CreatedKey {
  readonly name: string
  readonly key: string
}

export interface InvitedPerson {
  readonly email: string
  /** To pass on; null when it was sent by e-mail. */
  readonly link: string | null
}

export interface AdminRequest {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** Sends an action under `/app/data/administrasjon/`; asks for the password where the server requires it. */
export function useAdminAction<Reply = unknown>(onDone: (reply: Reply) => void) {
  const client = useQueryClient()
  const { run } = useReauthentication()
  return useMutation({
    mutationFn: ({ path, fields }: AdminRequest) =>
      run(() => request<Reply>('POST', `/app/data/administrasjon/${path}`, fields)),
    onSuccess: onDone,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['administration'] }),
        client.invalidateQueries({ queryKey: ['audit'] }),
      ]),
  })
}
