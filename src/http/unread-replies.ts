// Unread replies: the bytes of long replies that wait in memory for their readers, of each company.
import type { ServerResponse } from 'node:http'
import { ApiError } from '../errors/api-error.ts'
import type { Limits } from './limits.ts'
import type { KnownCaller } from './request.ts'

export class UnreadReplies {
  readonly #bytesMax: number
  readonly #bytesByCompany = new Map<number, number>()

  constructor({ unreadBytesPerCompanyMax }: Limits) {
    this.#bytesMax = unreadBytesPerCompanyMax
  }

  /** Throws `Overloaded` where replies of the company wait that have more bytes than the limit. */
  requireCapacity({ companyId }: KnownCaller): void {
    if ((this.#bytesByCompany.get(companyId) ?? 0) <= this.#bytesMax) return
    const params = { limitName: 'unreadBytesPerCompanyMax' }
    throw new ApiError('Overloaded', { params, headers: { 'Retry-After': '2' } })
  }

  /** Counts the bytes until the response is sent, or its connection is closed. */
  add({ companyId }: KnownCaller, bytes: number, response: ServerResponse): void {
    if (response.destroyed) return
    this.#count(companyId, bytes)
    response.once('close', () => this.#count(companyId, -bytes))
  }

  #count(companyId: number, change: number): void {
    const bytes = (this.#bytesByCompany.get(companyId) ?? 0) + change
    if (bytes === 0) this.#bytesByCompany.delete(companyId)
    else this.#bytesByCompany.set(companyId, bytes)
  }
}
