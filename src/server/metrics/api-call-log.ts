// API call log: last success and rejected calls of each credential, for administrators.
import { auditFirstUse, type CredentialUse } from '../../auth/sessions/sign-in-audit.ts'
import type { SentReply } from '../../http/log.ts'
import type { ErrorDetail } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Language } from '../../errors/messages.ts'
import { runEach, runForEach } from '../../lib/run-for-each.ts'
import { microsecondsPerDay, microsecondsPerMinute, utcDayNumber } from '../../lib/timestamp.ts'
import { deleteExpiredRejectedCalls, insertRejectedCall, recordSuccess } from '../../store/audit/api-call-log.ts'
import { forEachCompany } from '../../store/accounts/companies.ts'
import type { Store } from '../../store/store.ts'
import type { RejectedCallTable } from '../../store/tables/operations.ts'

export interface ApiCallLogOptions {
  readonly store: Store
  /** Microseconds since 1970. */
  readonly clock: () => number
}

type RejectedCallError = NonNullable<SentReply['logContext']['apiError']>

interface Success {
  readonly companyId: number
  at: number
  /** The value stored in the database. */
  storedAt: number
  /** UTC day of the last success. */
  day: number
}

/** Buffers entries during requests and writes them together. */
export class ApiCallLog {
  readonly #options: ApiCallLogOptions
  readonly #successes = new Map<string, Success>()
  readonly #firstUses = new Set<CredentialUse>()
  #rejected: RejectedCallTable[] = []
  /** Per credential, since the last flush. */
  readonly #rejectedCount = new Map<string, number>()

  constructor(options: ApiCallLogOptions) {
    this.#options = options
  }

  /** Skips calls of people, who see errors in the app, and unauthenticated calls, which belong to no company. */
  record(answered: SentReply): void {
    const { companyId, credentialId, apiError } = answered.logContext
    if (companyId === undefined || credentialId === undefined || credentialId.startsWith('user:')) return
    const at = this.#options.clock()
    if (answered.status < 400) this.#recordSuccess({ companyId, credentialId, at, requestId: answered.id })
    else if (apiError !== undefined) this.#recordRejected(answered, { companyId, credentialId, at, error: apiError })
  }

  /** Writes the buffer. What fails is lost, except for first uses, which are retried at the next flush. */
  async flush(): Promise<void> {
    await runEach({ 'first uses': () => this.#auditFirstUses(), calls: () => this.#writeCalls() })
  }

  /** Deletes rejected calls older than 30 days, and all but the newest 10,000 of a company. */
  async deleteExpired(): Promise<void> {
    const { store, clock } = this.#options
    await forEachCompany(store, async ({ id }) => {
      const bounds = { companyId: id, before: clock() - retention, kept: rejectedPerCompanyMax }
      await store.inSystemTransaction((writer) => deleteExpiredRejectedCalls(writer, bounds))
    })
  }

  #recordSuccess(use: CredentialUse): void {
    const { companyId, credentialId, at } = use
    const day = utcDayNumber(at)
    const known = this.#successes.get(credentialId)
    if (known?.day !== day) this.#firstUses.add(use)
    if (known === undefined) this.#successes.set(credentialId, { companyId, at, storedAt: 0, day })
    else {
      known.at = at
      known.day = day
    }
  }

  async #auditFirstUses(): Promise<void> {
    await runForEach(
      this.#firstUses,
      ({ credentialId }) => credentialId,
      async (use) => {
        await auditFirstUse(this.#options.store, use)
        this.#firstUses.delete(use)
      },
    )
  }

  async #writeCalls(): Promise<void> {
    const now = this.#options.clock()
    // A success marks its day as used, so it is stored after the first use of the day.
    const unaudited = new Set([...this.#firstUses].map(({ credentialId }) => credentialId))
    const successes = [...this.#successes]
      .filter(
        ([id, { at, storedAt }]) => at > storedAt && now - storedAt >= microsecondsPerMinute && !unaudited.has(id),
      )
      .map(([credentialId, success]) => ({ credentialId, success, at: success.at }))
    const rejected = this.#rejected
    this.#rejected = []
    this.#rejectedCount.clear()
    if (rejected.length === 0 && successes.length === 0) return
    await this.#options.store.inSystemTransaction(async (writer) => {
      for (const call of rejected) await insertRejectedCall(writer, call)
      for (const { credentialId, success, at } of successes)
        await recordSuccess(writer, { companyId: success.companyId, credentialId, at })
    })
    for (const { success, at } of successes) success.storedAt = at
  }

  #recordRejected(
    { id, method, route, status }: SentReply,
    failure: { companyId: number; credentialId: string; at: number; error: RejectedCallError },
  ): void {
    const { companyId, credentialId, at, error } = failure
    const count = this.#rejectedCount.get(credentialId) ?? 0
    // A program in a loop repeats the same rejected call.
    if (count >= rejectedPerFlushMax) return
    this.#rejectedCount.set(credentialId, count + 1)
    const messages = { nb: rejectionMessage(error, 'nb'), en: rejectionMessage(error, 'en') }
    const call = { requestId: id, method, route, status, code: error.code, ...messages }
    this.#rejected.push({ companyId, credentialId, at, ...call })
  }
}

/** The error message and its first detail, as the caller received them. */
function rejectionMessage({ code, params, target, details }: RejectedCallError, language: Language): string {
  const [first] = details
  const whole = detailMessage({ code, params, target }, language)
  const text = first === undefined ? whole : `${whole} ${detailMessage(first, language)}`
  return text.slice(0, messageMax)
}

function detailMessage(
  { code, params, target }: Pick<ErrorDetail, 'code' | 'params' | 'target'>,
  language: Language,
): string {
  return (target === null ? '' : `${target}: `) + errorMessage(code, params, language)
}

const retention = 30 * microsecondsPerDay
const rejectedPerCompanyMax = 10_000
/** Per credential and flush. */
const rejectedPerFlushMax = 20
const messageMax = 500
