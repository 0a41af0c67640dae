// Queries and actions of the account screen.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { request, get } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'

/** A session or a trusted browser; timestamps are microseconds. */
export interface SessionOrDevice {
  readonly id: string
  readonly isThis: boolean
  /** User-Agent header. */
  readonly agent: string
  readonly createdAt: number
  readonly seenAt: number
}

export interface OpenSession extends SessionOrDevice {
  readonly company: string
}

export interface Account {
  readonly email: string
  readonly via: 'password' | 'provider' | 'passkey'
  readonly factor: { readonly since: number; readonly codes: number } | null
  readonly sessions: readonly OpenSession[]
  readonly devices: readonly SessionOrDevice[]
  readonly identities: readonly { readonly issuer: string; readonly createdAt: number }[]
  readonly passkeys: readonly {
    readonly id: string
    readonly agent: string
    readonly createdAt: number
    readonly usedAt: number | null
  }[]
  /** Name of the identity provider; null when none is configured. */
  readonly provider: string | null
}

/** Secret of a new second factor, and its otpauth URL. */
export interface OfferedFactor {
  readonly secret: string
  readonly address: string
}

export interface RecoveryCodes {
  readonly codes: readonly string[]
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => get<Account>('/app/data/konto'),
  staleTime: 10_000,
})

interface AccountAction {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

/** Sends an action under `/app/data/konto/`; `run` may re-authenticate first. Some actions replace the session. */
export function useAccountAction<Reply = unknown>(
  run: <Done>(work: () => Promise<Done>) => Promise<Done>,
  onDone: (reply: Reply) => void = () => {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, fields = {} }: AccountAction) =>
      run(() => request<Reply>('POST', `/app/data/konto/${path}`, fields)),
    onSuccess: onDone,
    onSettled: async () => {
      await client.refetchQueries({ queryKey: sessionQuery.queryKey, exact: true })
      await client.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
}
