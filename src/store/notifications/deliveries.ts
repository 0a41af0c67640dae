// What happened, and to whom it is to be told: written with the act, taken by one server at a time, kept as a log.
import { sql } from 'kysely'
import { queueIn } from '../job-queue.ts'
import { rowsOf, statement, type Build } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { DeliveryTable, EventTable, WebhookTable } from '../tables/operations.ts'

export type NewEvent = Omit<EventTable, 'id'>

/** Writes the event and a delivery for each webhook that wants it; nothing where none does. */
export async function insertEvent(writer: Writer, event: NewEvent): Promise<void> {
  const { companyId, type, at } = event
  if ((await writer.first(wantedStatement, { companyId, type })) === undefined) return
  const eventId = await numbered(writer, event)
  await writer.run(deliverStatement, { companyId, type, eventId, at })
}

/** Writes an event for one webhook alone. */
export async function insertEventFor(
  writer: Writer,
  webhookId: number,
  event: NewEvent,
): Promise<void> {
  const eventId = await numbered(writer, event)
  const { companyId, at } = event
  await writer.run(deliverOneStatement, { companyId, webhookId, eventId, createdAt: at, dueAt: at })
}

async function numbered(writer: Writer, event: NewEvent): Promise<number> {
  const inserted = await writer.first(eventStatement, { ...event })
  if (inserted === undefined) throw new Error('an event without a number')
  return inserted.id
}

/** A delivery that is to be tried now, with all that it takes. */
export interface DueDelivery
  extends
    Pick<DeliveryTable, 'id' | 'companyId' | 'webhookId' | 'eventId' | 'createdAt' | 'attempts'>,
    Pick<EventTable, 'type' | 'at' | 'data'>,
    Pick<WebhookTable, 'url' | 'secret' | 'secretBefore' | 'secretBeforeUntil' | 'disabledAt'> {}

/** What is to be told, but for webhooks that are `busy`: a JSON array of objects with their ids. */
export const due = queueIn<Pick<DeliveryTable, 'id'>>('delivery', {
  returns: ['id'],
  among: (build) =>
    sql`and "webhookId" not in (select r.id from ${rowsOf(build, 'busy', { id: 'integer' })})`,
})

/** Takes one of a webhook that is not `busy`, as `due` does. One whose webhook was removed meanwhile goes. */
export async function takeDelivery(
  writer: Writer,
  {
    now,
    againAt,
    busy,
  }: { readonly now: number; readonly againAt: number; readonly busy: readonly number[] },
): Promise<DueDelivery | undefined> {
  const among = JSON.stringify(busy.map((id) => ({ id })))
  for (;;) {
    const taken = await due.take(writer, { now, againAt, busy: among })
    if (taken === undefined) return undefined
    const found = await writer.first(dueStatement, { id: taken.id })
    if (found !== undefined) return found
    await writer.run(removeStatement, { id: taken.id })
  }
}

/** How an attempt went; `dueAt` null where it is over. */
export function noteDelivery(
  writer: Writer,
  noted: Pick<DeliveryTable, 'id' | 'dueAt' | 'deliveredAt' | 'status' | 'problem'>,
): Awaitable<void> {
  return writer.run(noteStatement, { ...noted })
}

export type LoggedDelivery = Omit<DeliveryTable, 'companyId'> & Pick<EventTable, 'type' | 'at'>

/** The newest of each webhook of a company. */
export function lastDeliveries(reader: Reader, companyId: number): Awaitable<LoggedDelivery[]> {
  return reader.all(lastStatement, { companyId })
}

/** The newest first, two hundred at most; `webhookId` 0 for all. */
export function deliveriesOf(
  reader: Reader,
  companyId: number,
  webhookId: number,
): Awaitable<LoggedDelivery[]> {
  return webhookId === 0
    ? reader.all(logStatement, { companyId })
    : reader.all(logOfOneStatement, { companyId, webhookId })
}

/** Sends one again, as if it had never been tried. Answers whether there is one of this number. */
export async function resendDelivery(
  writer: Writer,
  companyId: number,
  { id, now }: { readonly id: number; readonly now: number },
): Promise<boolean> {
  return (await writer.first(resendStatement, { companyId, id, now })) !== undefined
}

/** Forgets what is over and happened before this moment, in microseconds. */
export async function forgetEvents(writer: Writer, before: number): Promise<void> {
  await due.forget(writer, before)
  await writer.run(forgetEventsStatement, { before })
}

function wants({ value }: Build) {
  return sql`webhook."companyId" = ${value('companyId')}
  and webhook."disabledAt" is null
  and (webhook.types = '' or ',' || webhook.types || ',' like '%,' || ${value('type')} || ',%')`
}

const wantedStatement = statement<{ id: number }>(
  (build) => sql`select webhook.id from webhook where ${wants(build)} limit 1`,
)

const eventStatement = statement<{ id: number }>(({ db, values }) =>
  db
    .insertInto('event')
    .values(values('companyId', 'type', 'at', 'data'))
    .returning('id'),
)

const deliverStatement = statement((build) => {
  const { value } = build
  const at = sql`cast(${value('at')} as bigint)`
  return sql`
    insert into delivery ("companyId", "webhookId", "eventId", "createdAt", "dueAt", attempts)
    select webhook."companyId", webhook.id, cast(${value('eventId')} as bigint), ${at}, ${at}, 0
    from webhook where ${wants(build)}`
})

const deliverOneStatement = statement(({ db, values }) =>
  db.insertInto('delivery').values((eb) => ({
    ...values('companyId', 'webhookId', 'eventId', 'createdAt', 'dueAt'),
    attempts: eb.lit(0),
  })),
)

const dueStatement = statement<DueDelivery>(
  ({ value }) => sql`
    select delivery.id, delivery."companyId", delivery."webhookId", delivery."eventId", delivery."createdAt",
      delivery.attempts, event.type, event.at, event.data, webhook.url, webhook.secret, webhook."secretBefore",
      webhook."secretBeforeUntil", webhook."disabledAt"
    from delivery
    join event on event.id = delivery."eventId" and event."companyId" = delivery."companyId"
    join webhook on webhook.id = delivery."webhookId" and webhook."companyId" = delivery."companyId"
    where delivery.id = ${value('id')}`,
)

const noteStatement = statement(({ db, value, values }) =>
  db
    .updateTable('delivery')
    .set(values('dueAt', 'deliveredAt', 'status', 'problem'))
    .where('id', '=', value('id')),
)

function logged({ value }: Build) {
  return sql`
    select delivery.id, delivery."webhookId", delivery."eventId", delivery."createdAt", delivery."dueAt",
      delivery.attempts, delivery."deliveredAt", delivery.status, delivery.problem, event.type, event.at
    from delivery
    join event on event.id = delivery."eventId" and event."companyId" = delivery."companyId"
    where delivery."companyId" = ${value('companyId')}`
}

const logStatement = statement<LoggedDelivery>(
  (build) => sql`${logged(build)} order by delivery.id desc limit 200`,
)

const logOfOneStatement = statement<LoggedDelivery>(
  (build) => sql`
    ${logged(build)} and delivery."webhookId" = ${build.value('webhookId')}
    order by delivery.id desc limit 200`,
)

// For each webhook the end of its stretch of the index, however many deliveries there are.
const lastStatement = statement<LoggedDelivery>(
  (build) => sql`
    ${logged(build)} and delivery.id in (
      select (select max(newest.id) from delivery newest
        where newest."companyId" = webhook."companyId" and newest."webhookId" = webhook.id)
      from webhook where webhook."companyId" = ${build.value('companyId')})`,
)

const resendStatement = statement<{ id: number }>(
  ({ value }) => sql`
    update delivery set "dueAt" = ${value('now')}, "createdAt" = ${value('now')}, attempts = 0, "deliveredAt" = null,
      status = null, problem = null
    where "companyId" = ${value('companyId')} and id = ${value('id')} returning id`,
)

const removeStatement = statement(({ db, value }) =>
  db.deleteFrom('delivery').where('id', '=', value('id')),
)

const forgetEventsStatement = statement(
  ({ value }) => sql`
    delete from event where at < ${value('before')}
      and not exists (select 1 from delivery where delivery."companyId" = event."companyId"
        and delivery."eventId" = event.id)`,
)
