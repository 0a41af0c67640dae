// Client address: who sent a request, behind trusted proxies (X-Forwarded-For, X-Forwarded-Proto).
import { ApiError } from '../../errors/api-error.ts'
import { isLoopback, parseAddress, plainAddress, type Networks } from '../../lib/network.ts'

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

/**
 * Only trusted proxies may set forwarding headers. From any other peer they only remove the loopback privileges. Throws
 * `MalformedRequest` if a trusted proxy that sets one names no address: all its clients would count as one.
 */
export function getClientConnection(request: ForwardedRequest, trusted: Networks): ClientConnection {
  const peer = plainAddress(request.address)
  if (!isForwarded(request)) return { address: peer, isSecure: request.secure, isLoopback: isLoopback(peer) }
  if (!trusted.has(peer)) return { address: peer, isSecure: request.secure, isLoopback: false }
  const address = lastUntrusted(request.header('x-forwarded-for') ?? '', trusted)
  return { address, isSecure: isForwardedOverTls(request), isLoopback: false }
}

/** Whether the client used TLS, to this server or to a trusted proxy. */
export function isClientSecure(request: ForwardedRequest, trusted: Networks): boolean {
  return isForwarded(request) && trusted.has(plainAddress(request.address))
    ? isForwardedOverTls(request)
    : request.secure
}

const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip']

function isForwarded(request: ForwardedRequest): boolean {
  return forwardingHeaders.some((name) => request.header(name) !== undefined)
}

/** Each proxy appends how it was called. */
function isForwardedOverTls(request: ForwardedRequest): boolean {
  return /(?:^|,)\s*https\s*$/i.test(request.header('x-forwarded-proto') ?? '')
}

/**
 * Each proxy appends its peer, so the last address that is not a trusted proxy is the caller. What stands before
 * anything else than an address may be invented: then the caller is who passed that on.
 */
function lastUntrusted(forwardedFor: string, trusted: Networks): string {
  const items = forwardedFor.split(',').map((item) => item.trim())
  let passedOnBy: string | null = null
  for (const item of items.filter((one) => one !== '').toReversed()) {
    const address = parseAddress(item)
    if (address === null) break
    if (!trusted.has(address)) return address
    passedOnBy = address
  }
  if (passedOnBy !== null) return passedOnBy
  throw new ApiError('MalformedRequest', { target: 'header:x-forwarded-for' })
}
