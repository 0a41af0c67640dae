// Who wants to be told of what happens in a company, and under which secret it is signed.
import { sql } from 'kysely'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type { WebhookTable } from '#store/tables/notes.ts'

export type NewWebhook = Pick<WebhookTable, 'companyId' | 'url' | 'types' | 'secret' | 'createdAt'>

/** Its number. */
export const insertWebhook = async (writer: Writer, webhook: NewWebhook): Promise<number> => {
  const inserted = await writer.first(insertStatement, { ...webhook })
  if (inserted === undefined) throw new Error('a webhook without a number')
  return inserted.id
}

export const webhooksOf = (reader: Reader, companyId: number): Awaitable<WebhookTable[]> =>
  reader.all(listStatement, { companyId })

export const removeWebhook = async (
  writer: Writer,
  companyId: number,
  id: number,
): Promise<void> => {
  await writer.run(forgetDeliveriesStatement, { companyId, id })
  await writer.run(removeStatement, { companyId, id })
}

/** Both secrets sign until the moment, in microseconds. */
export const rotateSecret = (
  writer: Writer,
  companyId: number,
  id: number,
  { secret, until }: { readonly secret: string; readonly until: number },
): Awaitable<void> => writer.run(rotateStatement, { companyId, id, secret, until })

/** Null lets it be told again. */
export const disableWebhook = (
  writer: Writer,
  companyId: number,
  id: number,
  disabledAt: number | null,
): Awaitable<void> => writer.run(disableStatement, { companyId, id, disabledAt })

const columns = [
  'id',
  'companyId',
  'url',
  'types',
  'secret',
  'secretBefore',
  'secretBeforeUntil',
  'createdAt',
  'disabledAt',
] as const

const insertStatement = statement<{ id: number }>(({ db, values }) =>
  db
    .insertInto('webhook')
    .values(values('companyId', 'url', 'types', 'secret', 'createdAt'))
    .returning('id'),
)

const listStatement = statement<WebhookTable>(({ db, value }) =>
  db
    .selectFrom('webhook')
    .select(columns)
    .where('companyId', '=', value('companyId'))
    .orderBy('id'),
)

const forgetDeliveriesStatement = statement(({ db, value }) =>
  db
    .deleteFrom('delivery')
    .where('companyId', '=', value('companyId'))
    .where('webhookId', '=', value('id')),
)

const removeStatement = statement(({ db, value }) =>
  db
    .deleteFrom('webhook')
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)

const rotateStatement = statement(
  ({ value }) => sql`
    update webhook set "secretBefore" = secret, secret = ${value('secret')}, "secretBeforeUntil" = ${value('until')}
    where "companyId" = ${value('companyId')} and id = ${value('id')}`,
)

const disableStatement = statement(({ db, value, values }) =>
  db
    .updateTable('webhook')
    .set(values('disabledAt'))
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id')),
)
