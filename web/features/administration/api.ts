// Keys, people and settings, as administrators see and change them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { act, ask } from '../../api/client.ts'
import type { Refused } from './api-call-log.ts'
import type { Role } from '../../api/session.ts'

/** What administrators are told of by mail. */
export interface Watch {
  /** How long it may take; 0 for ever. */
  readonly hours: number
  /** Since when the alarm stands. */
  readonly raisedAt: number | null
}

export interface Key {
  readonly id: string
  readonly name: string
  readonly state: 'live' | 'expired' | 'revoked'
  readonly scopes: readonly string[]
  readonly addresses: readonly string[] | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  /** When a call of it was last answered well, to about a minute. */
  readonly succeededAt: number | null
  readonly refused: Refused | null
  /** Null where nobody wants to hear of its silence. */
  readonly watch: Watch | null
}

export interface Person {
  readonly id: number
  readonly email: string
  /** Null for one who was added by a command. */
  readonly name: string | null
  readonly role: Role
  readonly departments: readonly string[] | null
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Null for a person without a second factor. */
  readonly factorSince: number | null
}

/** Somebody who is asked to join, and has not yet. */
export interface Invitation {
  readonly id: number
  readonly email: string
  readonly role: Role
  readonly departments: readonly string[] | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Administration {
  /** All that there are. */
  readonly scopes: readonly string[]
  readonly keys: readonly Key[]
  readonly people: readonly Person[]
  readonly invitations: readonly Invitation[]
  readonly sendsMail: boolean
  readonly exportWatch: Watch
  readonly zone: string
  readonly currency: string
  readonly settings: Readonly<Record<string, boolean>>
}

export const administrationQuery = queryOptions({
  queryKey: ['administration'],
  queryFn: () => ask<Administration>('/app/data/administrasjon'),
  staleTime: 10_000,
})

/** What the server shows in one answer, and keeps nowhere. */
export interface MadeKey {
  readonly name: string
  readonly key: string
}

export interface InvitedPerson {
  readonly email: string
  /** To pass on; null where a letter has it. */
  readonly link: string | null
}

export interface Administering {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** An act under `/app/data/administrasjon/`; `run` may ask for the password first. */
export function useAdministering<Answer = unknown>(
  run: <Done>(work: () => Promise<Done>) => Promise<Done>,
  onDone: (answer: Answer) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, fields }: Administering) =>
      run(() => act<Answer>('POST', `/app/data/administrasjon/${path}`, fields)),
    onSuccess: onDone,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['administration'] }),
        client.invalidateQueries({ queryKey: ['audit'] }),
      ]),
  })
}
