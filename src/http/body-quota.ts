// Body quota: the bytes of bodies in flight, of all clients, and of each credential, company and network.
import { ApiError } from '../errors/api-error.ts'
import type { Limits } from './limits.ts'
import type { KnownCaller } from './request.ts'

/** Who sends a body. */
export interface BodySender {
  /** Undefined before the caller is known. */
  readonly caller: KnownCaller | undefined
  /** The network of the client, behind trusted proxies too. */
  readonly network: string
}

/** No credential, no company and no network can use up what all bodies share (ADR 0015). */
export class BodyQuota {
  readonly #limits: Limits
  readonly #byCredential = new Map<string, number>()
  readonly #byCompany = new Map<number, number>()
  readonly #byNetwork = new Map<string, number>()
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get bytesInFlight(): number {
    return this.#bytes
  }

  /** Throws `Overloaded` if these bytes would exceed the limit of all bodies, or the share of the sender. */
  requireCapacity({ caller, network }: BodySender, bytes: number): void {
    this.#require('bodyBytesInFlightMax', this.#bytes + bytes)
    this.#require('bodyBytesPerNetworkMax', (this.#byNetwork.get(network) ?? 0) + bytes)
    if (caller === undefined) return
    this.#require('bodyBytesPerCredentialMax', (this.#byCredential.get(caller.credentialId) ?? 0) + bytes)
    this.#require('bodyBytesPerCompanyMax', (this.#byCompany.get(caller.companyId) ?? 0) + bytes)
  }

  #require(limitName: keyof Limits, bytes: number): void {
    if (bytes > this.#limits[limitName])
      throw new ApiError('Overloaded', { params: { limitName }, headers: { 'Retry-After': '2' } })
  }

  /** Counts bytes; negative ones are freed. */
  add({ caller, network }: BodySender, bytes: number): void {
    this.#bytes += bytes
    addTo(this.#byNetwork, network, bytes)
    if (caller === undefined) return
    addTo(this.#byCredential, caller.credentialId, bytes)
    addTo(this.#byCompany, caller.companyId, bytes)
  }
}

function addTo<Sender>(bytesBySender: Map<Sender, number>, sender: Sender, bytes: number): void {
  const sum = (bytesBySender.get(sender) ?? 0) + bytes
  if (sum === 0) bytesBySender.delete(sender)
  else bytesBySender.set(sender, sum)
}
