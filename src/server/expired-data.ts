// Expired data: what is deleted every hour.
import type { ServerParts } from './create-server.ts'
import { expiredInvitationLifetime } from '../auth/companies/invitations.ts'
import { knownNetworkLifetime } from '../auth/passwords/login-throttle.ts'
import { compactRetrievals } from '../export/compact-retrievals.ts'
import { deleteExpiredImports } from '../imports/import.ts'
import { runEach } from '../lib/run-for-each.ts'
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
  const deleteOlder = (deleteBefore: typeof deleteInvitationsBefore, lifetime: number) =>
    store.inSystemTransaction(async (writer) => deleteBefore(writer, { before: clock() - lifetime }))
  await runEach({
    replies: () => deleteExpiredReplies(store, clock()),
    sessions: () => sessions.deleteExpired(),
    retrievals: () => compactRetrievals(store, clock()),
    passwordLinks: () => passwordReset.deleteExpired(),
    imports: () => deleteExpiredImports(store, clock()),
    knownNetworks: () => deleteOlder(deleteKnownAddressesBefore, knownNetworkLifetime),
    invitations: () => deleteOlder(deleteInvitationsBefore, expiredInvitationLifetime),
    mails: async () => mailDelivery?.deleteExpired(),
    rejectedCalls: () => apiCallLog.deleteExpired(),
    events: () => webhookDelivery.deleteExpired(),
  })
}
