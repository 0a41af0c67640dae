// Where a request really comes from, when a trusted proxy stands between.
import { isLoopback, plainAddress, type Networks } from '../../lib/network.ts'

/** What is looked at of a request. */
export interface Arriving {
  /** The address at the other end of the socket. */
  readonly address: string
  /** Whether that socket speaks TLS. */
  readonly secure: boolean
  header(name: string): string | undefined
}

export interface Origin {
  readonly address: string
  readonly isSecure: boolean
  /** A program on this machine, not a proxy that passes on somebody else's call. */
  readonly isLoopback: boolean
}

/** Forwarding headers are believed from trusted proxies alone; from anybody they end the privileges of loopback. */
export function originOf(request: Arriving, trusted: Networks): Origin {
  const peer = plainAddress(request.address)
  const forwardedFor = request.header('x-forwarded-for')
  const forwardedProto = request.header('x-forwarded-proto')
  const isForwarded =
    forwardedFor !== undefined ||
    forwardedProto !== undefined ||
    request.header('forwarded') !== undefined ||
    request.header('x-real-ip') !== undefined
  if (!isForwarded) return { address: peer, isSecure: request.secure, isLoopback: isLoopback(peer) }
  if (!trusted.has(peer)) return { address: peer, isSecure: request.secure, isLoopback: false }
  return {
    address: lastUntrusted(forwardedFor ?? '', trusted) ?? peer,
    isSecure: lastOf(forwardedProto ?? '').toLowerCase() === 'https',
    isLoopback: false,
  }
}

/** Each proxy appends whom it heard: the last one that is no proxy of ours is the caller. */
function lastUntrusted(forwardedFor: string, trusted: Networks): string | undefined {
  return forwardedFor
    .split(',')
    .map((address) => plainAddress(address.trim()))
    .filter((address) => address !== '')
    .findLast((address) => !trusted.has(address))
}

function lastOf(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim()
}
