// Expired data: what is deleted every hour.
import type { ServerParts } from './create-server.ts'
import { expiredInvitationLifetime } from '../auth/companies/invitations.ts'
import { knownNetworkLifetime } from '../auth/passwords/login-throttle.ts'
import { compactRetrievals } from '../export/compact-retrievals.ts'
import { deleteExpiredImports } from '../imports/import.ts'
import { deleteKnownAddressesBefore } from '../store/accounts/credentials.ts'
import { deleteInvitationsBefore } from '../store/accounts/invitations.ts'
import { deleteExpiredReplies } from '../store/idempotency.ts'
import type { Store } from '../store/store.ts'

export interface ExpiryContext {
  readonly store: Store
  /** Microseconds UTC. */
  readonly clock: () => number
  readonly server: Pick<ServerParts, 'sessions' | 'passwordReset' | 'mailDelivery' | 'apiCallLog' | 'webhookDelivery'>
}

/** Deletes what has expired of every kind, also where another kind fails. Throws an `AggregateError` of all failures. */
export async function deleteExpired({ store, clock, server }: ExpiryContext): Promise<void> {
  const { sessions, passwordReset, mailDelivery, apiCallLog, webhookDelivery } = server
  const kinds = [
    () => deleteExpiredReplies(store, clock()),
    () => sessions.deleteExpired(),
    () => compactRetrievals(store, clock()),
    () => passwordReset.deleteExpired(),
    () => deleteExpiredImports(store, clock()),
    () => deleteUnknownNetworks(store, clock()),
    () => deleteExpiredInvitations(store, clock()),
    async () => mailDelivery?.deleteExpired(),
    () => apiCallLog.deleteExpired(),
    () => webhookDelivery.deleteExpired(),
  ]
  const failures: unknown[] = []
  // One after another, so that others write between them.
  for (const deleteKind of kinds) await deleteKind().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'some kinds of expired data could not be deleted')
}

async function deleteUnknownNetworks(store: Store, now: number): Promise<void> {
  const before = now - knownNetworkLifetime
  await store.inSystemTransaction((writer) => deleteKnownAddressesBefore(writer, { before }))
}

async function deleteExpiredInvitations(store: Store, now: number): Promise<void> {
  const before = now - expiredInvitationLifetime
  await store.inSystemTransaction((writer) => deleteInvitationsBefore(writer, { before }))
}
