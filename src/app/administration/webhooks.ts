// Webhook administration: subscriptions and delivery log.
import type { CreatedWebhookSecret, Delivery, RotatedWebhookSecret, WebhookList } from '../contract/administration.ts'
import type { Empty } from '../contract/path.ts'
import { auditedAction } from '../company-transaction.ts'
import { idIn, invalidChoiceError, queryIn } from '../request-values.ts'
import { readFields, textIn, type BodyFields } from '../body.ts'
import type { AppRequest, JsonHandler } from '../route.ts'
import { eventTypes } from '../../notifications/webhooks/publish.ts'
import {
  addWebhook,
  checkWebhookUrl,
  redeliver,
  enableWebhook,
  deleteWebhook,
  rotateWebhook,
  maskUrl,
  testWebhook,
  getWebhook,
  type WebhookRef,
} from '../../notifications/webhooks/webhooks.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { listDeliveries, listLastDeliveries, type LoggedDelivery } from '../../store/notifications/deliveries.ts'
import type { AuditAction } from '../../store/audit/audit.ts'
import type { Transaction } from '../../store/store.ts'
import { listWebhooks } from '../../store/notifications/webhooks.ts'

/** All webhooks with their last delivery, without secrets; timestamps are microseconds. */
export async function listWebhooksWithDeliveries({ store, clock, companyId }: AppRequest): Promise<WebhookList> {
  const rows = await listWebhooks(store, { companyId })
  const last = await listLastDeliveries(store, { companyId })
  const now = clock()
  return {
    events: eventTypes,
    webhooks: rows.map(({ id, url, types, createdAt, disabledAt, previousSecretUntil }) => ({
      id,
      url: maskUrl(url),
      events: types === '' ? [] : types.split(','),
      createdAt,
      disabledAt,
      bothUntil: (previousSecretUntil ?? 0) > now ? previousSecretUntil : null,
      last: last.filter(({ webhookId }) => webhookId === id).map(describeDelivery)[0] ?? null,
    })),
  }
}

/** The last two hundred deliveries of a webhook. Throws `NotFound`. */
export async function listWebhookDeliveries(appRequest: AppRequest): Promise<{ rows: Delivery[] }> {
  const { store, request, companyId } = appRequest
  const query = queryIn(request, ['id'])
  const { id } = await getWebhook(store, { companyId, id: idIn(query, 'id') })
  return { rows: (await listDeliveries(store, companyId, id)).map(describeDelivery) }
}

function describeDelivery(row: LoggedDelivery): Delivery {
  return {
    id: row.id,
    type: row.type,
    at: row.at,
    attempts: row.attempts,
    status: row.status,
    problem: row.lastError,
    deliveredAt: row.deliveredAt,
    /** Null when no further attempt follows. */
    nextAt: row.nextAttemptAt,
  }
}

/** The secret is only in this reply. Throws `InvalidValue`. */
export async function addWebhookSubscription(appRequest: AppRequest): Promise<CreatedWebhookSecret> {
  const fields = await readFields(appRequest.request)
  const wanted = { url: checkWebhookUrl(textIn(fields, 'url'), appRequest.webhookNetworks), types: typesIn(fields) }
  return auditedAction(appRequest, 'webhook-add', async (transaction) => {
    const made = await addWebhook(transaction, appRequest.cryptoContext, transaction.companyId, wanted)
    return { result: { ...made, url: maskUrl(wanted.url) }, auditData: { webhook: made.id } }
  })
}

/** For a day requests are signed with both secrets. Throws `NotFound`. */
export function rotateWebhookSubscription(appRequest: AppRequest): Promise<RotatedWebhookSecret> {
  return runWebhookAction(appRequest, 'webhook-rotate', async (transaction, one, now) => {
    const bothUntil = now + microsecondsPerDay
    const made = await rotateWebhook(transaction, appRequest.cryptoContext, one, bothUntil)
    const { url } = await getWebhook(transaction, one)
    return { ...made, url: maskUrl(url), bothUntil }
  })
}

export const deleteWebhookSubscription = webhookHandler('webhook-remove', deleteWebhook)
export const enableWebhookSubscription = webhookHandler('webhook-enable', enableWebhook)
export const testWebhookSubscription = webhookHandler('webhook-test', testWebhook)

/** The handler of an action on the webhook `id`, which throws `NotFound`. */
function webhookHandler(
  action: AuditAction,
  execute: (transaction: Transaction, one: WebhookRef, now: number) => Promise<void>,
): JsonHandler<Empty> {
  return async (appRequest) => {
    await runWebhookAction(appRequest, action, execute)
    return {}
  }
}

/** Sends the delivery `id` again. Throws `NotFound`. */
export async function resendDelivery(appRequest: AppRequest): Promise<Empty> {
  const id = idIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'webhook-resend', async (transaction, { now }) => {
    await redeliver(transaction, { companyId: transaction.companyId, id }, now)
    return { result: {}, auditData: { delivery: id } }
  })
}

async function runWebhookAction<Result>(
  appRequest: AppRequest,
  action: AuditAction,
  execute: (transaction: Transaction, one: WebhookRef, now: number) => Promise<Result>,
): Promise<Result> {
  const id = idIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, action, async (transaction, { now }) => ({
    result: await execute(transaction, { companyId: transaction.companyId, id }, now),
    auditData: { webhook: id },
  }))
}

function typesIn(fields: BodyFields): string[] {
  const types = (fields.get('events') ?? '').split(' ').filter((type) => type !== '')
  if (!types.every((type) => eventTypes.some((known) => known === type))) throw invalidChoiceError('events')
  return types
}
