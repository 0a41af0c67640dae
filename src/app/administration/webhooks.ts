// Webhook administration: subscriptions and delivery log.
import { administered, invalid, numberIn, type Administered } from '../audited-action.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import { json, type Asked } from '../route.ts'
import { isBarred } from '../../notifications/webhooks/send.ts'
import { eventTypes } from '../../notifications/webhooks/publish.ts'
import {
  addWebhook,
  deliverAgain,
  enableWebhook,
  endWebhook,
  rotateWebhook,
  shownUrl,
  testWebhook,
  webhookOf,
  webhookUrl,
  type OneWebhook,
} from '../../notifications/webhooks/webhooks.ts'
import type { Reply } from '../../http/request.ts'
import type { Networks } from '../../lib/network.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import {
  deliveriesOf,
  lastDeliveries,
  type LoggedDelivery,
} from '../../store/notifications/deliveries.ts'
import type { AuditAction } from '../../store/audit/audit.ts'
import type { Transaction } from '../../store/store.ts'
import { webhooksOf } from '../../store/notifications/webhooks.ts'

/** All webhooks with their last delivery, without secrets; timestamps are microseconds. */
export async function webhookList({ store, visitor, clock }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const rows = await webhooksOf(store, companyId)
  const last = await lastDeliveries(store, companyId)
  const now = clock()
  return json({
    events: eventTypes,
    webhooks: rows.map(({ id, url, types, createdAt, disabledAt, secretBeforeUntil }) => ({
      id,
      url: shownUrl(url),
      events: types === '' ? [] : types.split(','),
      createdAt,
      disabledAt,
      bothUntil: (secretBeforeUntil ?? 0) > now ? secretBeforeUntil : null,
      last: last.filter(({ webhookId }) => webhookId === id).map(toldDelivery)[0] ?? null,
    })),
  })
}

/** The last two hundred deliveries of a webhook. Throws `NotFound`. */
export async function webhookDeliveries({ store, request, visitor }: Asked): Promise<Reply> {
  const { companyId } = visitor.caller
  const query = parseQuery(request.search, knownParameters(['id'], 'refused'))
  const { id } = await webhookOf(store, { companyId, id: numberIn(query, 'id') })
  return json({ rows: (await deliveriesOf(store, companyId, id)).map(toldDelivery) })
}

function toldDelivery(row: LoggedDelivery) {
  return {
    id: row.id,
    type: row.type,
    at: row.at,
    attempts: row.attempts,
    status: row.status,
    problem: row.problem,
    deliveredAt: row.deliveredAt,
    /** Null when no further attempt follows. */
    nextAt: row.dueAt,
  }
}

/** The secret is only in this reply. Throws `InvalidValue`. */
export async function addOneWebhook(asked: Asked): Promise<Reply> {
  const fields = await readFields(asked.request)
  const wanted = { url: urlIn(fields, asked.webhookNetworks), types: typesIn(fields) }
  return administered(asked, 'webhook-add', async (transaction) => {
    const made = await addWebhook(transaction, asked.minting, transaction.companyId, wanted)
    return { answer: { ...made, url: shownUrl(wanted.url) }, about: { webhook: made.id } }
  })
}

/** For a day requests are signed with both secrets. Throws `NotFound`. */
export function rotateOneWebhook(asked: Asked): Promise<Reply> {
  return onOne(asked, 'webhook-rotate', async (transaction, one, now) => {
    const bothUntil = now + bothFor
    const made = await rotateWebhook(transaction, asked.minting, one, bothUntil)
    const { url } = await webhookOf(transaction, one)
    return { ...made, url: shownUrl(url), bothUntil }
  })
}

/** Throws `NotFound`. */
export function removeOneWebhook(asked: Asked): Promise<Reply> {
  return onOne(asked, 'webhook-remove', endWebhook)
}

/** Throws `NotFound`. */
export function enableOneWebhook(asked: Asked): Promise<Reply> {
  return onOne(asked, 'webhook-enable', enableWebhook)
}

/** Throws `NotFound`. */
export function testOneWebhook(asked: Asked): Promise<Reply> {
  return onOne(asked, 'webhook-test', testWebhook)
}

/** Sends the delivery `id` again. Throws `NotFound`. */
export async function resendOne(asked: Asked): Promise<Reply> {
  const id = numberIn(await readFields(asked.request), 'id')
  return administered(asked, 'webhook-resend', async (transaction, now) => {
    await deliverAgain(transaction, { companyId: transaction.companyId, id }, now)
    return { answer: {}, about: { delivery: id } }
  })
}

async function onOne(
  asked: Asked,
  action: AuditAction,
  act: (transaction: Transaction, one: OneWebhook, now: number) => Promise<object | void>,
): Promise<Reply> {
  const id = numberIn(await readFields(asked.request), 'id')
  return administered(asked, action, async (transaction, now): Promise<Administered> => {
    const answer = await act(transaction, { companyId: transaction.companyId, id }, now)
    return { answer: answer ?? {}, about: { webhook: id } }
  })
}

/** A day, in microseconds. */
const bothFor = 24 * 3_600_000_000

function urlIn(fields: Fields, allowed: Networks): string {
  const url = webhookUrl(textIn(fields, 'url'))
  if (url === null) throw invalid('url', phrase('noWebhookUrl'))
  if (isBarred(new URL(url), allowed)) throw invalid('url', phrase('barredUrl'))
  return url
}

function typesIn(fields: Fields): string[] {
  const types = (fields.get('events') ?? '').split(' ').filter((type) => type !== '')
  if (!types.every((type) => eventTypes.some((known) => known === type)))
    throw invalid('events', phrase('noSuchChoice'))
  return types
}
