// Sign-in audit: sign-ins, sign-outs, rejected sign-ins and first uses of credentials (ADR 0044).
import { actorOf, companyIdForSession } from '../caller.ts'
import { runForEach } from '../../lib/run-for-each.ts'
import { microsecondsPerHour, utcDayNumber } from '../../lib/timestamp.ts'
import { insertAuditEntry, type AuditContext, type NewAuditEntry } from '../../store/audit/audit.ts'
import { recordSuccess, findLastSuccess } from '../../store/audit/api-call-log.ts'
import { findCredential } from '../../store/accounts/credentials.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditTable } from '../../store/tables/operations.ts'

/** How a session was opened; `company` means a switch from another company. */
export type SignInMethod = 'password' | 'code' | 'recovery-code' | 'device' | 'provider' | 'passkey' | 'company'

/** A sign-in or sign-out of a person; `at` in microseconds. */
export interface SignInEvent extends Pick<AuditTable, 'at' | 'requestId'> {
  readonly user: number
  readonly action: 'sign-in' | 'sign-out' | 'password-link'
  /** Only for sign-ins. */
  readonly method?: SignInMethod
}

export function auditSignIn(transaction: Transaction, event: SignInEvent): Promise<void> {
  const { at: now, requestId, user, action, method } = event
  const data = method === undefined ? { user } : { user, how: method }
  return write(transaction, { actor: `user:${user}`, requestId, now }, { action, data })
}

/** A call that may be the first of its day with this credential. */
export interface CredentialUse extends Pick<AuditTable, 'at' | 'requestId'> {
  readonly companyId: number
  readonly credentialId: string
}

/** Writes one entry a day, across all servers: the stored last success shows whether the day has one. */
export function auditFirstUse(store: Store, { requestId, ...use }: CredentialUse): Promise<void> {
  return store.inTransaction(companyIdForSession(use), async (transaction) => {
    const { at, credentialId } = use
    const last = await findLastSuccess(transaction, use)
    if (last !== undefined && utcDayNumber(last.at) >= utcDayNumber(at)) return
    await recordSuccess(transaction, use)
    const credential = await findCredential(transaction, { id: credentialId })
    if (credential === undefined) return
    const context = { actor: actorOf(credential), requestId, now: at }
    await write(transaction, context, { action: 'first-use', data: { credential: credentialId } })
  })
}

/** Uses its own change counter, so that sign-ins do not refresh open pages. */
function write(transaction: Transaction, context: AuditContext, entry: NewAuditEntry): Promise<void> {
  transaction.sequences.next('signInEvents')
  return insertAuditEntry(transaction, context, entry)
}

export interface RejectedSignIn extends Pick<AuditTable, 'at' | 'requestId'> {
  readonly user: number
  /** The company they tried to sign in to. */
  readonly companyId: number
  /** What was wrong; never contains input. */
  readonly reason: 'password' | 'code' | 'shut-out'
}

/**
 * Rejected sign-ins of existing accounts. They are buffered and written later, because a write during the request would
 * reveal by its time which accounts exist. A limit per person and hour keeps an attacker from filling the audit.
 */
export class RejectedSignInBuffer {
  readonly #store: Store
  readonly #buffer: RejectedSignIn[] = []
  /** Per person, in the current hour. */
  readonly #counts = new Map<number, number>()
  #hour = 0

  constructor(store: Store) {
    this.#store = store
  }

  record(rejected: RejectedSignIn): void {
    const hour = Math.floor(rejected.at / microsecondsPerHour)
    if (hour !== this.#hour) this.#counts.clear()
    this.#hour = hour
    const count = this.#counts.get(rejected.user) ?? 0
    if (count >= rejectedMax) return
    this.#counts.set(rejected.user, count + 1)
    this.#buffer.push(rejected)
  }

  /** Writes the buffer, company by company. What cannot be written is retried at the next flush. */
  async flush(): Promise<void> {
    const byCompany = Map.groupBy(this.#buffer.splice(0), ({ companyId }) => companyId)
    await runForEach(
      byCompany,
      ([id]) => `company ${id}`,
      async ([, entries]) => {
        const unwritten = new Set(entries)
        try {
          for (const entry of entries) {
            await this.#write(entry)
            unwritten.delete(entry)
          }
        } finally {
          this.#buffer.push(...unwritten)
        }
      },
    )
  }

  /** The caller is unauthenticated, so the person is the subject of the entry and not its actor. */
  #write({ companyId, user, reason, at: now, requestId }: RejectedSignIn): Promise<void> {
    const context = { actor: 'anonymous', requestId, now }
    return this.#store.inTransaction(companyIdForSession({ companyId }), (transaction) =>
      write(transaction, context, { action: 'sign-in-failed', data: { user, why: reason } }),
    )
  }
}

/** Per person and hour. */
const rejectedMax = 5
