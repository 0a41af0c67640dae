// Who comes in and goes out, as the audit of a company tells it (ADR 0110).
import { actorOf, openedByEntering } from '../caller.ts'
import { writeAudit, type Audited } from '../../store/audit/audit.ts'
import { noteSuccess, successOf } from '../../store/audit/api-call-log.ts'
import { credentialById } from '../../store/accounts/credentials.ts'
import type { Store, Transaction } from '../../store/store.ts'

/** How a session was opened; `company` by somebody who was signed in to another company. */
export type Way =
  | 'password'
  | 'code'
  | 'recovery-code'
  | 'device'
  | 'provider'
  | 'passkey'
  | 'company'

/** What a person did at the door: `at` in microseconds. */
export interface Passage extends Pick<Audited, 'at' | 'requestId'> {
  readonly user: number
  readonly action: 'sign-in' | 'sign-out' | 'password-link'
  /** Of a sign-in. */
  readonly how?: Way
}

export function auditPassage(
  transaction: Transaction,
  { user, how, ...told }: Passage,
): Promise<void> {
  const data = how === undefined ? { user } : { user, how }
  return write(transaction, { ...told, actor: `user:${user}`, data })
}

/** A call that may have been the first of its day with this credential. */
export interface Use extends Pick<Audited, 'at' | 'requestId'> {
  readonly companyId: number
  readonly credentialId: string
}

/** One entry a day, whichever server is asked first: the last success that is noted tells which day had one. */
export function auditFirstUse(store: Store, { requestId, ...use }: Use): Promise<void> {
  return store.inTransaction(openedByEntering(use), async (transaction) => {
    const { at, credentialId } = use
    const last = await successOf(transaction, use)
    if (last !== undefined && dayOf(last.at) >= dayOf(at)) return
    await noteSuccess(transaction, use)
    const credential = await credentialById(transaction, credentialId)
    if (credential === undefined) return
    const told = { at, requestId, action: 'first-use', actor: actorOf(credential) } as const
    await write(transaction, { ...told, data: { credential: credentialId } })
  })
}

/** Days of UTC, as numbers; `at` in microseconds. */
export function dayOf(at: number): number {
  return Math.floor(at / dayLength)
}

/** Counted apart, so that no open page looks anew because somebody came. */
function write(transaction: Transaction, told: Omit<Audited, 'target'>): Promise<void> {
  transaction.counters.take('passages')
  return writeAudit(transaction, { ...told, target: 'Firma' })
}

export interface Refused extends Pick<Audited, 'at' | 'requestId'> {
  readonly user: number
  /** Where they wanted in. */
  readonly companyId: number
  /** What was wrong, and nothing of what was typed. */
  readonly why: 'password' | 'code' | 'shut-out'
}

/**
 * Sign-ins that were refused to somebody known. They are gathered beside the answers, because a write that only known
 * addresses cost would tell which are known; and few of each person, so that who guesses does not fill the audit.
 */
export class RefusedSignIns {
  readonly #store: Store
  readonly #waiting: Refused[] = []
  /** By person, in the present hour. */
  readonly #counts = new Map<number, number>()
  #hour = 0

  constructor(store: Store) {
    this.#store = store
  }

  note(refused: Refused): void {
    const hour = Math.floor(refused.at / hourLength)
    if (hour !== this.#hour) this.#counts.clear()
    this.#hour = hour
    const count = this.#counts.get(refused.user) ?? 0
    if (count >= refusedMost) return
    this.#counts.set(refused.user, count + 1)
    this.#waiting.push(refused)
  }

  /** Writes what was gathered; what cannot be written waits for the next time. */
  async flush(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      try {
        await this.#write(next)
      } catch (error) {
        this.#waiting.unshift(next)
        throw error
      }
  }

  /** Nobody knows who it was, so the person is what it tells of, and not who did it. */
  #write({ companyId, user, why, ...told }: Refused): Promise<void> {
    const about = { action: 'sign-in-refused', actor: 'stranger', data: { user, why } } as const
    return this.#store.inTransaction(openedByEntering({ companyId }), (transaction) =>
      write(transaction, { ...told, ...about }),
    )
  }
}

/** Microseconds. */
const hourLength = 3_600_000_000
const dayLength = 24 * hourLength
/** Of one person in an hour. */
const refusedMost = 5
