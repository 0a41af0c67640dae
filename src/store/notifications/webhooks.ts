// Webhooks of companies, with their event types and signing secrets.
import { deleteWhere, insertReturning, selectWhere, updateWhere } from '../row-statements.ts'
import { command, commandReturning, rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { Writer } from '../store.ts'
import type { WebhookTable } from '../tables/operations.ts'

export type NewWebhook = Pick<WebhookTable, 'companyId' | 'url' | 'types' | 'secret' | 'createdAt'>

/** Returns the id. Every change of webhooks clears the cached subscriptions. */
export async function insertWebhook(writer: Writer, webhook: NewWebhook): Promise<number> {
  const inserted = await insertWebhookRow(writer, webhook)
  if (inserted === undefined) throw new Error('the insert of a webhook returned no id')
  writer.clearCached()
  return inserted.id
}

export const listWebhooks = rowsQuery(selectWhere('webhook', ['companyId'], { orderBy: ['id'] }))

export async function deleteWebhook(writer: Writer, companyId: number, id: number): Promise<void> {
  await deleteDeliveries(writer, { companyId, webhookId: id })
  await deleteWebhookRow(writer, { companyId, id })
  writer.clearCached()
}

/** Requests are signed with both secrets until this time, in microseconds. */
export const rotateWebhookSecret = command<{ companyId: number; id: number; secret: string; until: number }>(
  ({ value }) => sql`
    update webhook set "previousSecret" = secret, secret = ${value('secret')}, "previousSecretUntil" = ${value('until')}
    where "companyId" = ${value('companyId')} and id = ${value('id')}`,
)

/** Disables a webhook from `disabledAt` on, in microseconds, or enables it with null. */
export async function setWebhookDisabled(
  writer: Writer,
  webhook: Pick<WebhookTable, 'companyId' | 'id' | 'disabledAt'>,
): Promise<void> {
  await updateWebhookRow(writer, webhook)
  writer.clearCached()
}

const insertWebhookRow = commandReturning(
  insertReturning('webhook', 'companyId', 'url', 'types', 'secret', 'createdAt'),
)

const deleteDeliveries = command(deleteWhere('delivery', 'companyId', 'webhookId'))

const deleteWebhookRow = command(deleteWhere('webhook', 'companyId', 'id'))

const updateWebhookRow = command(updateWhere('webhook', ['companyId', 'id'], ['disabledAt']))
