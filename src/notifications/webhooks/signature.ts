// Webhook signatures by Standard Webhooks 1.0.0 (standardwebhooks.com).
import { createHmac } from 'node:crypto'
import type { Random } from '../../auth/tokens/secret.ts'

/** 256 bits, in the format of the Standard Webhooks libraries. */
export function generateWebhookSecret(random: Random): string {
  return `whsec_${random(32).toString('base64')}`
}

/**
 * The id of an event's message. The time is part of it, in microseconds: a restored database gives later events the ids of those
 * that it has lost, and a receiver would ignore them.
 */
export function messageIdOf({ eventId, at }: { readonly eventId: number; readonly at: number }): string {
  return `evt_${eventId}_${at}`
}

export interface SignedMessage {
  /** The same for every attempt, so that receivers can detect duplicates. */
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The headers of a delivery, with one signature per secret during a rotation. */
export function signatureHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets
      .map((secret) => {
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
        const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`)
        return `v1,${signature.digest('base64')}`
      })
      .join(' '),
  }
}
