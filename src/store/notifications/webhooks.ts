// Webhooks of companies, with their event types and signing secrets.
import { deleteWhere, selectWhere, updateWhere } from '../row-statements.ts'
import { command, rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { Writer } from '../store.ts'
import type { WebhookTable } from '../tables/operations.ts'

export type NewWebhook = Pick<WebhookTable, 'companyId' | 'url' | 'types' | 'secret' | 'createdAt'>

/** Returns the id. Every change of webhooks clears the cached subscriptions. */
export async function insertWebhook(writer: Writer, webhook: NewWebhook): Promise<number> {
  const inserted = await writer.first(insertStatement, { ...webhook })
  if (inserted === undefined) throw new Error('the insert of a webhook returned no id')
  writer.clearCached()
  return inserted.id
}

export const listWebhooks = rowsQuery(selectWhere('webhook', ['companyId'], { orderBy: ['id'] }))

export async function deleteWebhook(writer: Writer, companyId: number, id: number): Promise<void> {
  await writer.run(deleteDeliveriesStatement, { companyId, id })
  await writer.run(deleteStatement, { companyId, id })
  writer.clearCached()
}

/** Requests are signed with both secrets until this time, in microseconds. */
export const rotateWebhookSecret = command<{ companyId: number; id: number; secret: string; until: number }>(
  ({ value }) => sql`
    update webhook set "previousSecret" = secret, secret = ${value('secret')}, "previousSecretUntil" = ${value('until')}
    where "companyId" = ${value('companyId')} and id = ${value('id')}`,
)

/** Null enables it again. */
export async function disableWebhook(
  writer: Writer,
  companyId: number,
  id: number,
  disabledAt: number | null,
): Promise<void> {
  await writer.run(disableStatement, { companyId, id, disabledAt })
  writer.clearCached()
}

const insertStatement = statement<{ id: number }>(({ db, values }) =>
  db
    .insertInto('webhook')
    .values(values('companyId', 'url', 'types', 'secret', 'createdAt'))
    .returning('id'),
)

const deleteDeliveriesStatement = statement(({ db, value }) =>
  db.deleteFrom('delivery').where('companyId', '=', value('companyId')).where('webhookId', '=', value('id')),
)

const deleteStatement = statement(deleteWhere('webhook', 'companyId', 'id'))

const disableStatement = statement(updateWhere('webhook', ['companyId', 'id'], ['disabledAt']))
