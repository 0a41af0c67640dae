// Webhook outbox: events and deliveries, inserted with the change, leased by one server, then kept.
import { deleteWhere, insertInto, insertReturning, updateWhere } from '../row-statements.ts'
import { command, commandChanges, commandReturning, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import { deletionBefore } from '../delete-in-chunks.ts'
import { createJobQueue } from '../job-queue.ts'
import { rowsFromJson, statement, type Build, toIdRows } from '../statement.ts'
import type { Awaitable, Reader, Store, Writer } from '../store.ts'
import type { DeliveryTable, EventTable, WebhookTable } from '../tables/operations.ts'

export type NewEvent = Omit<EventTable, 'id'>

/** Whether a webhook subscribes to such events. */
export function isSubscribed(writer: Writer, { companyId, type }: Pick<NewEvent, 'companyId' | 'type'>) {
  return writer.hasRow(subscribedStatement, { companyId, type })
}

/** Inserts the event and a delivery for each webhook that subscribes to it. */
export async function insertEvent(writer: Writer, event: NewEvent): Promise<void> {
  const { companyId, type, at } = event
  await deliverToSubscribers(writer, { companyId, type, eventId: await getNewEventId(writer, event), at })
}

export async function insertEventFor(writer: Writer, webhookId: number, event: NewEvent): Promise<void> {
  const eventId = await getNewEventId(writer, event)
  const { companyId, at } = event
  await insertDelivery(writer, { companyId, webhookId, eventId, createdAt: at, nextAttemptAt: at, attempts: 0 })
}

async function getNewEventId(writer: Writer, event: NewEvent): Promise<number> {
  const inserted = await insertEventRow(writer, event)
  if (inserted === undefined) throw new Error('the insert of an event returned no id')
  return inserted.id
}

/** A delivery to attempt now, with its event and webhook. */
export interface DueDelivery
  extends
    Pick<DeliveryTable, 'id' | 'companyId' | 'webhookId' | 'eventId' | 'createdAt' | 'attempts'>,
    Pick<EventTable, 'type' | 'at' | 'data'>,
    Pick<WebhookTable, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil' | 'disabledAt'> {}

/** Webhooks and companies that have as many deliveries in progress as they may, by their ids. */
export interface BusyReceivers {
  readonly webhooks: readonly number[]
  readonly companies: readonly number[]
}

/** The queue of deliveries, without those of busy webhooks and companies: JSON arrays of objects with their ids. */
export const deliveryQueue = createJobQueue<Pick<DeliveryTable, 'id'>>('delivery', {
  returns: ['id'],
  next: selectLongestDue,
})

/**
 * Looks up the first due delivery of each webhook that has waiting ones, because a busy webhook may have a day's deliveries
 * in front of the next one of another. With `=` in place of the order PostgreSQL may use the index of all due deliveries.
 */
function selectLongestDue(build: Build) {
  const { value } = build
  const waits = sql`"nextAttemptAt" is not null`
  return sql`
    with recursive waiting(id) as (
      select min("webhookId") from delivery where ${waits}
      union all
      select (select min("webhookId") from delivery where ${waits} and "webhookId" > waiting.id)
      from waiting where waiting.id is not null)
    select delivery.id from waiting join delivery on delivery.id = (
      select id from delivery where ${waits} and "webhookId" >= waiting.id order by "webhookId", "nextAttemptAt" limit 1)
    where delivery."nextAttemptAt" <= ${value('now')}
      and waiting.id not in (select r.id from ${rowsFromJson(build, 'webhooks', { id: 'integer' })})
      and "companyId" not in (select r.id from ${rowsFromJson(build, 'companies', { id: 'integer' })})
    order by delivery."nextAttemptAt" limit 1`
}

/** Leases a delivery of a webhook and a company that are not busy. Deletes a delivery whose webhook no longer exists. */
export async function leaseDelivery(
  writer: Writer,
  { busy, ...lease }: { readonly now: number; readonly leaseUntil: number; readonly busy: BusyReceivers },
): Promise<DueDelivery | undefined> {
  const busyIds = { webhooks: toIdRows(busy.webhooks), companies: toIdRows(busy.companies) }
  for (;;) {
    const leased = await deliveryQueue.lease(writer, { ...lease, ...busyIds })
    if (leased === undefined) return undefined
    const found = await findDueDelivery(writer, leased)
    if (found !== undefined) return found
    await deleteDelivery(writer, leased)
  }
}

/** Records the result of an attempt; `nextAttemptAt` is null after the last one. */
export const recordDeliveryAttempt = command(
  updateWhere('delivery', ['id'], ['nextAttemptAt', 'deliveredAt', 'status', 'lastError']),
  'everyCompany',
)

/** Gives up the waiting deliveries of a webhook that were created no later than this. */
export const giveUpDeliveriesUntil = command<
  Pick<DeliveryTable, 'companyId' | 'webhookId' | 'createdAt'> & { lastError: string }
>(
  ({ value }) => sql`
    update delivery set "nextAttemptAt" = null, "lastError" = ${value('lastError')}
    where "companyId" = ${value('companyId')} and "webhookId" = ${value('webhookId')}
      and "createdAt" <= ${value('createdAt')} and "nextAttemptAt" is not null`,
)

export type LoggedDelivery = Omit<DeliveryTable, 'companyId'> & Pick<EventTable, 'type' | 'at'>

/** The latest delivery of each webhook of a company: the end of its index range, however many deliveries there are. */
export const listLastDeliveries = rowsQuery<{ companyId: number }, LoggedDelivery>(
  (build) => sql`
    ${selectLog(build)} and delivery.id in (
      select (select max(newest.id) from delivery newest
        where newest."companyId" = webhook."companyId" and newest."webhookId" = webhook.id)
      from webhook where webhook."companyId" = ${build.value('companyId')})`,
)

/** The latest 200 deliveries, the newest first; `webhookId` is 0 for all webhooks. */
export function listDeliveries(reader: Reader, companyId: number, webhookId: number): Awaitable<LoggedDelivery[]> {
  return webhookId === 0
    ? reader.all(logStatement, { companyId })
    : reader.all(logOfOneStatement, { companyId, webhookId })
}

/** Queues a delivery as if it had never been attempted; false where there is none with this id. */
export const resendDelivery = commandChanges<{ companyId: number; id: number; now: number }>(
  ({ value }) => sql`
    update delivery set "nextAttemptAt" = ${value('now')}, "createdAt" = ${value('now')}, attempts = 0, "deliveredAt" = null,
      status = null, "lastError" = null
    where "companyId" = ${value('companyId')} and id = ${value('id')} returning id`,
)

/** Deletes finished deliveries, and their events, from before this time, in microseconds. */
export async function deleteExpiredEvents(store: Store, before: number): Promise<void> {
  await deliveryQueue.deleteFinished(store, before)
  await deleteEventsBefore(store, before)
}

function subscribes({ value }: Build) {
  return sql`webhook."companyId" = ${value('companyId')}
  and webhook."disabledAt" is null
  and (webhook.types = '' or ',' || webhook.types || ',' like '%,' || ${value('type')} || ',%')`
}

const subscribedStatement = statement<{ id: number }>(
  (build) => sql`select webhook.id from webhook where ${subscribes(build)} limit 1`,
)

const insertEventRow = commandReturning(insertReturning('event', 'companyId', 'type', 'at', 'data'))

const deliverToSubscribers = command<Pick<NewEvent, 'companyId' | 'type' | 'at'> & { eventId: number }>((build) => {
  const { value } = build
  const at = sql`cast(${value('at')} as bigint)`
  return sql`
    insert into delivery ("companyId", "webhookId", "eventId", "createdAt", "nextAttemptAt", attempts)
    select webhook."companyId", webhook.id, cast(${value('eventId')} as bigint), ${at}, ${at}, 0
    from webhook where ${subscribes(build)}`
})

const insertDelivery = command(
  insertInto('delivery', 'companyId', 'webhookId', 'eventId', 'createdAt', 'nextAttemptAt', 'attempts'),
)

const findDueDelivery = rowQuery<{ id: number }, DueDelivery>(
  ({ value }) => sql`
    select delivery.id, delivery."companyId", delivery."webhookId", delivery."eventId", delivery."createdAt",
      delivery.attempts, event.type, event.at, event.data, webhook.url, webhook.secret, webhook."previousSecret",
      webhook."previousSecretUntil", webhook."disabledAt"
    from delivery
    join event on event.id = delivery."eventId" and event."companyId" = delivery."companyId"
    join webhook on webhook.id = delivery."webhookId" and webhook."companyId" = delivery."companyId"
    where delivery.id = ${value('id')}`,
  'everyCompany',
)

function selectLog({ value }: Build) {
  return sql`
    select delivery.id, delivery."webhookId", delivery."eventId", delivery."createdAt", delivery."nextAttemptAt",
      delivery.attempts, delivery."deliveredAt", delivery.status, delivery."lastError", event.type, event.at
    from delivery
    join event on event.id = delivery."eventId" and event."companyId" = delivery."companyId"
    where delivery."companyId" = ${value('companyId')}`
}

const logStatement = statement<LoggedDelivery>((build) => sql`${selectLog(build)} order by delivery.id desc limit 200`)

const logOfOneStatement = statement<LoggedDelivery>(
  (build) => sql`
    ${selectLog(build)} and delivery."webhookId" = ${build.value('webhookId')}
    order by delivery.id desc limit 200`,
)

const deleteDelivery = command(deleteWhere('delivery', 'id'), 'everyCompany')

const deleteEventsBefore = deletionBefore(
  ({ value }) => sql`
    delete from event where id in (select id from event where at < ${value('before')}
      and not exists (select 1 from delivery where delivery."companyId" = event."companyId"
        and delivery."eventId" = event.id) limit ${value('limit')}) returning 1 as deleted`,
)
