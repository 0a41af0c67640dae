// Body quota: the bytes of bodies in flight, of all clients, of each credential and of each network.
import { ApiError } from '../errors/api-error.ts'
import type { Limits } from './limits.ts'

/** Who sends a body. */
export interface BodySender {
  /** Null before the caller is known. */
  readonly credentialId: string | null
  /** The network of the client, behind trusted proxies too. */
  readonly network: string
}

/** No credential and no network can use up what all bodies share (ADR 0015). */
export class BodyQuota {
  readonly #limits: Limits
  readonly #byCredential = new Map<string, number>()
  readonly #byNetwork = new Map<string, number>()
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  get bytesInFlight(): number {
    return this.#bytes
  }

  /** Throws `Overloaded` if these bytes would exceed the limit of all bodies, or the share of the sender. */
  requireCapacity({ credentialId, network }: BodySender, bytes: number): void {
    const ofCredential = credentialId === null ? 0 : (this.#byCredential.get(credentialId) ?? 0)
    this.#require('bodyBytesInFlightMax', this.#bytes + bytes)
    this.#require('bodyBytesPerCredentialMax', ofCredential + bytes)
    this.#require('bodyBytesPerNetworkMax', (this.#byNetwork.get(network) ?? 0) + bytes)
  }

  #require(limitName: keyof Limits, bytes: number): void {
    if (bytes > this.#limits[limitName])
      throw new ApiError('Overloaded', { params: { limitName }, headers: { 'Retry-After': '2' } })
  }

  /** Counts bytes; negative ones are freed. */
  add({ credentialId, network }: BodySender, bytes: number): void {
    this.#bytes += bytes
    addTo(this.#byNetwork, network, bytes)
    if (credentialId !== null) addTo(this.#byCredential, credentialId, bytes)
  }
}

function addTo(bytesBySender: Map<string, number>, sender: string, bytes: number): void {
  const sum = (bytesBySender.get(sender) ?? 0) + bytes
  if (sum === 0) bytesBySender.delete(sender)
  else bytesBySender.set(sender, sum)
}
