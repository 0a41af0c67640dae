// Running Idempotency-Keys: a key whose first request still runs is rejected (ADR 0009).
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { IdempotentRequest } from '../../store/idempotency.ts'

/** The Idempotency-Keys that this process is working on. */
export class RunningKeys {
  readonly #running = new Set<string>()

  /** Throws `IdempotencyInProgress` while another request with the key runs. */
  run<T>(companyId: CompanyId, idempotent: IdempotentRequest | null, work: () => Promise<T>): Promise<T> {
    return idempotent === null ? work() : this.#runOnce(`${companyId} ${idempotent.owner} ${idempotent.key}`, work)
  }

  async #runOnce<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.has(name)) throw new ApiError('IdempotencyInProgress', { headers: { 'Retry-After': '1' } })
    this.#running.add(name)
    try {
      return await work()
    } finally {
      this.#running.delete(name)
    }
  }
}
