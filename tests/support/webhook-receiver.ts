// Receivers of webhooks: one that records every delivery, and servers that reply in a way of their own.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach } from 'vitest'

export interface WebhookReceiver {
  readonly url: string
  /** Of its replies. */
  status: number
  readonly received: { readonly headers: Record<string, string>; readonly body: string }[]
}

/** A receiver for each test of a suite, which is closed after it. */
export function useWebhookReceiver(): WebhookReceiver {
  const receiver: WebhookReceiver = { url: '', status: 204, received: [] }
  beforeEach(async () => {
    const { url, server } = await startReceiver((request, response) => {
      void text(request).then((body) => {
        receiver.received.push({ headers: request.headers as Record<string, string>, body })
        response.writeHead(receiver.status, { location: 'http://127.0.0.1:1/' }).end('secret of ours')
      })
    })
    Object.assign(receiver, { url: `${url}hook?k=hemmelig`, status: 204, received: [] })
    return () => void server.close()
  })
  return receiver
}

export async function startReceiver(listener?: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
