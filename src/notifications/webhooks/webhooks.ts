// Who is told, and how that went: the acts of commands and of the app alike.
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

/** The secret is in this answer and, but sealed, nowhere else. */
export interface MadeSecret {
  readonly id: number
  readonly secret: string
}

export interface Wanted {
  /** As `webhookUrl` gives it. */
  readonly url: string
  /** Of which events; none for all. */
  readonly types: readonly string[]
}

export async function addWebhook(
  writer: Writer,
  minting: Minting,
  companyId: number,
  { url, types }: Wanted,
): Promise<MadeSecret> {
  const { secret, sealed } = mint(minting, companyId)
  const row = { companyId, url, types: types.join(','), secret: sealed, createdAt: minting.clock() }
  return { id: await insertWebhook(writer, row), secret }
}

/** A new secret; the one before it signs as well until the moment, in microseconds. Throws `NotFound`. */
export async function rotateWebhook(
  writer: Writer,
  minting: Minting,
  webhook: OneWebhook,
  until: number,
): Promise<MadeSecret> {
  const { companyId, id } = await webhookOf(writer, webhook)
  const { secret, sealed } = mint(minting, companyId)
  await rotateSecret(writer, companyId, id, { secret: sealed, until })
  return { id, secret }
}

/** Tells it again after it answered 410. Throws `NotFound`. */
export async function enableWebhook(writer: Writer, webhook: OneWebhook): Promise<void> {
  const { companyId, id } = await webhookOf(writer, webhook)
  await disableWebhook(writer, companyId, id, null)
}

/** Forgets its deliveries too. Throws `NotFound`. */
export async function endWebhook(writer: Writer, webhook: OneWebhook): Promise<void> {
  const { companyId, id } = await webhookOf(writer, webhook)
  await removeWebhook(writer, companyId, id)
}

/** Tells it of a made-up event; a server delivers it. Throws `NotFound`. */
export async function testWebhook(writer: Writer, webhook: OneWebhook, at: number): Promise<void> {
  const { companyId, id } = await webhookOf(writer, webhook)
  await insertEventFor(writer, id, { companyId, type: 'webhook.test', at, data: '{}' })
}

/** Delivers once more, under the same id of the event. Throws `NotFound`. */
export async function deliverAgain(
  writer: Writer,
  { companyId, id }: OneWebhook,
  now: number,
): Promise<void> {
  if (!(await resendDelivery(writer, companyId, { id, now })))
    throw new Fault('NotFound', { says: { what: phrase('theDelivery') } })
}

/** A webhook, or a delivery, by its number in a company. */
export interface OneWebhook {
  readonly companyId: number
  readonly id: number
}

/** Another company's is none. Throws `NotFound`. */
export async function webhookOf(
  reader: Reader,
  { companyId, id }: OneWebhook,
): Promise<WebhookTable> {
  const found = (await webhooksOf(reader, companyId)).find((one) => one.id === id)
  if (found === undefined) throw new Fault('NotFound', { says: { what: phrase('theWebhook') } })
  return found
}

/** The address as it is kept; null for what is none, or holds a password. */
export function webhookUrl(text: string): string | null {
  const url = text.length <= urlLengthMax ? URL.parse(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return url.username === '' && url.password === '' ? url.href : null
}

/** Without what follows `?`, which may be a secret of the receiver. */
export function shownUrl(url: string): string {
  return url.replace(/\?.*/, '?…')
}

const urlLengthMax = 2000

function mint(minting: Minting, companyId: number): { secret: string; sealed: string } {
  const secret = newSecret(minting.random)
  return { secret, sealed: new Seal(minting, 'webhooks').close(secret, aboutSecret(companyId)) }
}
