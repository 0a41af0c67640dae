// Client address: who sent a request, behind trusted proxies (X-Forwarded-For, X-Forwarded-Proto).
import { isLoopback, plainAddress, type Networks } from '../../lib/network.ts'

/** The parts of a request that say where it comes from. */
export interface ForwardedRequest {
  /** The address of the socket's peer. */
  readonly address: string
  /** Whether the socket uses TLS. */
  readonly secure: boolean
  header(name: string): string | undefined
}

export interface ClientConnection {
  readonly address: string
  readonly isSecure: boolean
  /** A program on this machine, and not a proxy that forwards another caller's request. */
  readonly isLoopback: boolean
}

/** Only trusted proxies may set forwarding headers. From any other peer they only remove the loopback privileges. */
export function getClientConnection(
  request: ForwardedRequest,
  trusted: Networks,
): ClientConnection {
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
    isSecure: lastItem(forwardedProto ?? '').toLowerCase() === 'https',
    isLoopback: false,
  }
}

/** Each proxy appends its peer, so the last address that is not a trusted proxy is the caller. */
function lastUntrusted(forwardedFor: string, trusted: Networks): string | undefined {
  return forwardedFor
    .split(',')
    .map((address) => plainAddress(address.trim()))
    .filter((address) => address !== '')
    .findLast((address) => !trusted.has(address))
}

function lastItem(list: string): string {
  return list.slice(list.lastIndexOf(',') + 1).trim()
}
