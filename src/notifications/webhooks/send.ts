// Hands a body to an address on the net, and to none inside of our own: no receiver makes this server call its neighbours.
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { request as plainRequest, type RequestOptions } from 'node:http'
import { request as safeRequest } from 'node:https'
import { isIP } from 'node:net'
import { parseNetworks, type Networks } from '../../lib/network.ts'

/** It was not handed over; `problem` is a word of ours, or of the network. */
export class Unposted extends Error {
  override readonly name = 'Unposted'
  readonly problem: string

  constructor(problem: string) {
    super(problem)
    this.problem = problem
  }
}

export interface Posting {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Private networks that the operator lets webhooks reach, also without TLS. */
  readonly allowed: Networks
  /** Ends it before its time. */
  readonly signal: AbortSignal
}

/** The status of the answer, whatever it says; redirects are not followed. Throws `Unposted`. */
export async function post({ url, headers, body, allowed, signal }: Posting): Promise<number> {
  const target = new URL(url)
  if (isBarred(target, allowed)) throw new Unposted(notAllowed)
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'Content-Length': Buffer.byteLength(body),
      'Accept-Encoding': 'identity',
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // The address that was looked at is the one that is called.
    lookup: guarded(target, allowed),
  }
  return new Promise((resolve, reject) => {
    const send = target.protocol === 'https:' ? safeRequest : plainRequest
    const sent = send(target, options, (answer) => {
      resolve(answer.statusCode ?? 0)
      // What it says is nobody's business.
      answer.destroy()
    })
    sent.on('error', (error) => reject(new Unposted(problemOf(error))))
    sent.end(body)
  })
}

/** Whether it is plain before a name is looked up that this address will not be called; names are checked at each call. */
export function isBarred(target: URL, allowed: Networks): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isReachable(host, target, allowed)
  return target.protocol !== 'https:' && allowed.names.length === 0
}

const timeoutMs = 15_000
const notAllowed = 'address not allowed'

type Found = Parameters<NonNullable<RequestOptions['lookup']>>[2]

function guarded(target: URL, allowed: Networks) {
  return (host: string, options: LookupOptions, found: Found): void =>
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined)
        return found(error ?? new Unposted('no address'), '')
      if (!addresses.every(({ address }) => isReachable(address, target, allowed)))
        return found(new Unposted(notAllowed), '')
      return options.all === true
        ? found(null, addresses)
        : found(null, first.address, first.family)
    })
}

/** The net is called with TLS alone; what the operator named, in any way. */
function isReachable(address: string, { protocol }: URL, allowed: Networks): boolean {
  return allowed.has(address) || (protocol === 'https:' && !inside.has(address))
}

/** Addresses that are not of the open net: RFC 6890, and ways to write an IPv4 address as another. */
const inside = parseNetworks(
  `
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    ::/96 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7
    fe80::/10 fec0::/10 ff00::/8`
    .trim()
    .split(/\s+/),
)

/** A word of the network, never a sentence that may hold the address with what stands in it. */
function problemOf(error: Error): string {
  if (error instanceof Unposted) return error.problem
  if (error.cause instanceof Unposted) return error.cause.problem
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout'
  return 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 50) : 'failed'
}
