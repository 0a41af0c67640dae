// Webhook operations shared by the commands and the app.
import type { Minting } from '../../auth/tokens/credential-factory.ts'
import { Seal } from '../../auth/tokens/encryptor.ts'
import { aboutSecret } from './deliver.ts'
import { newSecret } from './signature.ts'
import { Fault } from '../../errors/catalog.ts'
import { phrase } from '../../errors/messages.ts'
import { insertEventFor, resendDelivery } from '../../store/notifications/deliveries.ts'
import type { Reader, Writer } from '../../store/store.ts'
import type { WebhookTable } from '../../store/tables/operations.ts'
import {
  disableWebhook,
  insertWebhook,
  removeWebhook,
  rotateSecret,
  webhooksOf,
} from '../../store/notifications/webhooks.ts'

/** The plain-text secret; the database has it encrypted. */
export interface MadeSecret {
  readonly id: number
  readonly secret: string
}

export interface Wanted {
  /** As returned by `parseWebhookUrl`. */
  readonly url: string
  /** Event types; empty means all. */
  readonly types: readonly string[]
}

export async function addWebhook(
  writer: Writer,
  minting: Minting,
  companyId: number,
  { url, types }: Wanted,
): Promise<MadeSecret> {
  const { secret, encrypted } = createSecret(minting, companyId)
  const row = {
    companyId,
    url,
    types: types.join(','),
    secret: encrypted,
    createdAt: minting.clock(),
  }
  return { id: await insertWebhook(writer, row), secret }
}

/** Creates a new secret; the previous one also signs until `until`, in microseconds. Throws `NotFound`. */
export async function rotateWebhook(
  writer: Writer,
  minting: Minting,
  webhook: OneWebhook,
  until: number,
): Promise<MadeSecret> {
  const { companyId, id } = await webhookOf(writer, webhook)
  const { secret, encrypted } = createSecret(minting, companyId)
  await rotateSecret(writer, companyId, id, { secret: encrypted, until })
  return { id, secret }
}

/** Enables a webhook that was disabled by a 410 response. Throws `NotFound`. */
export async function enableWebhook(writer: Writer, webhook: OneWebhook): Promise<void> {
  const { companyId, id } = await webhookOf(writer, webhook)
  await disableWebhook(writer, companyId, id, null)
}

/** Deletes the webhook and its delivery log. Throws `NotFound`. */
export async function endWebhook(writer: Writer, webhook: OneWebhook): Promise<void> {
  const { companyId, id } = await webhookOf(writer, webhook)
  await removeWebhook(writer, companyId, id)
}

/** Queues a `webhook.test` event. Throws `NotFound`. */
export async function testWebhook(writer: Writer, webhook: OneWebhook, at: number): Promise<void> {
  const { companyId, id } = await webhookOf(writer, webhook)
  await insertEventFor(writer, id, { companyId, type: 'webhook.test', at, data: '{}' })
}

/** Queues a delivery again with the same event id. Throws `NotFound`. */
export async function deliverAgain(
  writer: Writer,
  { companyId, id }: OneWebhook,
  now: number,
): Promise<void> {
  if (!(await resendDelivery(writer, companyId, { id, now })))
    throw new Fault('NotFound', { says: { what: phrase('theDelivery') } })
}

/** A webhook or delivery by id. */
export interface OneWebhook {
  readonly companyId: number
  readonly id: number
}

/** Webhooks of other companies are reported as unknown. Throws `NotFound`. */
export async function webhookOf(
  reader: Reader,
  { companyId, id }: OneWebhook,
): Promise<WebhookTable> {
  const found = (await webhooksOf(reader, companyId)).find((one) => one.id === id)
  if (found === undefined) throw new Fault('NotFound', { says: { what: phrase('theWebhook') } })
  return found
}

/** Normalizes a URL; null when it is invalid or contains credentials. */
export function webhookUrl(text: string): string | null {
  const url = text.length <= urlLengthMax ? URL.parse(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.username === '' && url.password === '' ? url.href : null
}

/** Removes the query, which may contain a secret of the receiver. */
export function shownUrl(url: string): string {
  return url.replace(/\?.*/, '?…')
}

const urlLengthMax = 2000

function createSecret(minting: Minting, companyId: number): { secret: string; encrypted: string } {
  const secret = newSecret(minting.random)
  return { secret, encrypted: new Seal(minting, 'webhooks').close(secret, aboutSecret(companyId)) }
}
