// Webhook operations shared by the commands and the app.
import type { CryptoContext } from '../../auth/tokens/credential-factory.ts'
import { Encryptor } from '../../auth/tokens/encryptor.ts'
import { webhookSecretContext } from './deliver.ts'
import { isBlockedAddress } from './send.ts'
import { generateWebhookSecret } from './signature.ts'
import { fieldError, notFoundError, type ApiError } from '../../errors/api-error.ts'
import { message, type MessageCode } from '../../errors/messages.ts'
import type { Networks } from '../../lib/network.ts'
import { insertEventFor, resendDelivery } from '../../store/notifications/deliveries.ts'
import type { Reader, Writer } from '../../store/store.ts'
import type { WebhookTable } from '../../store/tables/operations.ts'
import {
  setWebhookDisabled,
  insertWebhook,
  deleteWebhook as deleteStoredWebhook,
  rotateWebhookSecret,
  listWebhooks,
} from '../../store/notifications/webhooks.ts'

/** The plain-text secret; the database has it encrypted. */
export interface WebhookSecret {
  readonly id: number
  readonly secret: string
}

export interface WebhookSettings {
  /** As returned by `checkWebhookUrl`. */
  readonly url: string
  /** Event types; empty means all. */
  readonly types: readonly string[]
}

/** Throws `InvalidValue` where the company has as many as it may. */
export async function addWebhook(
  writer: Writer,
  cryptoContext: CryptoContext,
  companyId: number,
  { url, types }: WebhookSettings,
): Promise<WebhookSecret> {
  if ((await listWebhooks(writer, { companyId })).length >= webhooksMax) throw invalidUrlError('maximumReached')
  const { secret, encrypted } = createSecret(cryptoContext, companyId)
  const row = { companyId, url, types: types.join(','), secret: encrypted, createdAt: cryptoContext.clock() }
  return { id: await insertWebhook(writer, row), secret }
}

/** Creates a new secret; the previous one also signs until `until`, in microseconds. Throws `NotFound`. */
export async function rotateWebhook(
  writer: Writer,
  cryptoContext: CryptoContext,
  webhook: WebhookRef,
  until: number,
): Promise<WebhookSecret> {
  const { companyId, id } = await getWebhook(writer, webhook)
  const { secret, encrypted } = createSecret(cryptoContext, companyId)
  await rotateWebhookSecret(writer, { companyId, id, secret: encrypted, until })
  return { id, secret }
}

/** Enables a webhook that was disabled by a 410 response. Throws `NotFound`. */
export async function enableWebhook(writer: Writer, webhook: WebhookRef): Promise<void> {
  const { companyId, id } = await getWebhook(writer, webhook)
  await setWebhookDisabled(writer, { companyId, id, disabledAt: null })
}

/** Deletes the webhook and its delivery log. Throws `NotFound`. */
export async function deleteWebhook(writer: Writer, webhook: WebhookRef): Promise<void> {
  const { companyId, id } = await getWebhook(writer, webhook)
  await deleteStoredWebhook(writer, companyId, id)
}

/** Queues a `webhook.test` event. Throws `NotFound`. */
export async function testWebhook(writer: Writer, webhook: WebhookRef, at: number): Promise<void> {
  const { companyId, id } = await getWebhook(writer, webhook)
  await insertEventFor(writer, id, { companyId, type: 'webhook.test', at, data: '{}' })
}

/** Queues a delivery again with the same event id. Throws `NotFound`. */
export async function redeliver(writer: Writer, { companyId, id }: WebhookRef, now: number): Promise<void> {
  if (!(await resendDelivery(writer, { companyId, id, now }))) throw notFoundError(message('theDelivery'))
}

/** A webhook or delivery by id. */
export type WebhookRef = Pick<WebhookTable, 'companyId' | 'id'>

/** Webhooks of other companies are reported as unknown. Throws `NotFound`. */
export async function getWebhook(reader: Reader, { companyId, id }: WebhookRef): Promise<WebhookTable> {
  const found = (await listWebhooks(reader, { companyId })).find((one) => one.id === id)
  if (found === undefined) throw notFoundError(message('theWebhook'))
  return found
}

/** Normalizes a URL. Throws `InvalidValue` when it is invalid, contains credentials, or would be blocked at each delivery. */
export function checkWebhookUrl(text: string, allowed: Networks): string {
  const url = text.length <= urlLengthMax ? URL.parse(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw invalidUrlError('invalidWebhookUrl')
  if (isBlockedAddress(url, allowed)) throw invalidUrlError('webhookUrlNotAllowed')
  return url.href
}

function invalidUrlError(problem: MessageCode): ApiError {
  return fieldError('InvalidValue', 'url', { problem: message(problem) })
}

/** Removes the query, which may contain a secret of the receiver. */
export function maskUrl(url: string): string {
  return url.replace(/\?.*/, '?…')
}

/** Of a company: every change inserts a delivery for each. */
const webhooksMax = 100

const urlLengthMax = 2000

function createSecret(cryptoContext: CryptoContext, companyId: number): { secret: string; encrypted: string } {
  const secret = generateWebhookSecret(cryptoContext.random)
  return {
    secret,
    encrypted: new Encryptor(cryptoContext, 'webhooks').encrypt(secret, webhookSecretContext(companyId)),
  }
}
