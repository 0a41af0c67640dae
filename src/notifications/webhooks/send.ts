// Webhook requests: posts to public addresses only, to prevent server-side request forgery.
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import type { RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import { request as plainRequest } from '../../lib/node-http.ts'
import { parseNetworks, type Networks } from '../../lib/network.ts'

/** The request failed; `problem` is a short reason or a network error code. */
export class WebhookSendError extends Error {
  override readonly name = 'Unposted'
  readonly problem: string

  constructor(problem: string) {
    super(problem)
    this.problem = problem
  }
}

/** The problem of a receiver that did not reply within the time limit. */
export const timedOut = 'timeout'

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Private networks that the operator allows, also without TLS. */
  readonly allowed: Networks
  /** Aborts the request. */
  readonly signal: AbortSignal
}

/** Returns the status of the response; redirects are not followed. Throws `WebhookSendError`. */
export async function sendWebhook({ url, headers, body, allowed, signal }: WebhookRequest): Promise<number> {
  const target = new URL(url)
  if (isBlockedAddress(target, allowed)) throw new WebhookSendError(notAllowed)
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body), 'Accept-Encoding': 'identity' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    // Connects to the address that was checked, which prevents DNS rebinding.
    lookup: restrictedLookup(target, allowed),
  }
  return new Promise((resolve, reject) => {
    const send = target.protocol === 'https:' ? tlsRequest : plainRequest
    const sent = send(target, options, (response) => {
      resolve(response.statusCode ?? 0)
      // The response body is not used.
      response.destroy()
    })
    sent.on('error', (error) => reject(new WebhookSendError(problemOf(error))))
    // With 101 there is neither a response nor an error.
    sent.on('close', () => reject(new WebhookSendError('no response')))
    sent.end(body)
  })
}

/** Whether a URL is blocked before any DNS lookup; host names are checked again at each request. */
export function isBlockedAddress(target: URL, allowed: Networks): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return !isReachable(host, target, allowed)
  return target.protocol !== 'https:' && allowed.names.length === 0
}

const timeoutMs = 15_000
const notAllowed = 'address not allowed'

type LookupCallback = Parameters<NonNullable<RequestOptions['lookup']>>[2]

function restrictedLookup(target: URL, allowed: Networks) {
  return (host: string, options: LookupOptions, callback: LookupCallback): void =>
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) return callback(error ?? new WebhookSendError('no address'), '')
      if (!addresses.every(({ address }) => isReachable(address, target, allowed)))
        return callback(new WebhookSendError(notAllowed), '')
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
}

/** Public addresses need TLS; allowed networks do not. */
function isReachable(address: string, { protocol }: URL, allowed: Networks): boolean {
  return allowed.has(address) || (protocol === 'https:' && !privateNetworks.has(address))
}

/**
 * Non-public addresses (RFC 6890, 9602, 9637, 9780) and IPv6 forms that embed IPv4 addresses, also translated ones (RFC
 * 2765). Mapped ones are checked as IPv4: in Node's BlockList `::ffff:0:0/96` has every IPv4 address.
 */
const privateNetworks = parseNetworks(
  `
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    ::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32
    2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`
    .trim()
    .split(/\s+/),
)

/** An error code and never a message, because messages can contain the URL. */
function problemOf(error: Error): string {
  if (error instanceof WebhookSendError) return error.problem
  if (error.cause instanceof WebhookSendError) return error.cause.problem
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return timedOut
  return 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 50) : 'failed'
}
