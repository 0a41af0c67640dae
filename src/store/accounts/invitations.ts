// Invitations that are not accepted yet.
import { deleteReturning, deleteWhere, selectWhere } from '../row-statements.ts'
import { commandChanges, commandReturning, rowsQuery, rowQuery } from '../queries.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Writer } from '../store.ts'
import type { InvitationTable } from '../tables/accounts.ts'

/** Replaces an earlier invitation of the same person to the company; returns the id. */
export async function saveInvitation(
  writer: Writer,
  invitation: Omit<InvitationTable, 'id' | 'emailKey'>,
): Promise<number> {
  const emailKey = invitation.email.toLowerCase()
  const row = await writer.first(saveStatement, { ...invitation, emailKey })
  if (row === undefined) throw new Error('an insert that returns nothing')
  return row.id
}

/** An invitation that is valid at this time, in microseconds. */
export const findInvitation = rowQuery<{ tokenHash: string; now: number }, InvitationTable>(({ db, value }) =>
  db
    .selectFrom('invitation')
    .selectAll()
    .where('tokenHash', '=', value('tokenHash'))
    .where('expiresAt', '>', value('now')),
)

/** Deletes and returns the invitation; of several concurrent requests with one token, one gets it. */
export const consumeInvitation = commandReturning<{ tokenHash: string; now: number }, InvitationTable>(
  ({ db, value }) =>
    db
      .deleteFrom('invitation')
      .where('tokenHash', '=', value('tokenHash'))
      .where('expiresAt', '>', value('now'))
      .returningAll(),
)

export type InvitationSummary = Pick<
  InvitationTable,
  'id' | 'email' | 'role' | 'departments' | 'createdAt' | 'expiresAt'
>

export const listInvitations = rowsQuery(
  selectWhere('invitation', ['companyId'], {
    columns: ['id', 'email', 'role', 'departments', 'createdAt', 'expiresAt'],
    orderBy: ['emailKey'],
  }),
)

/** False where the company has no invitation with this id. */
export const deleteInvitation = commandChanges(deleteReturning('invitation', 'companyId', 'id'))

/** Deletes the invitations to this e-mail address, in every company. */
export function deleteInvitationsTo(writer: Writer, email: string): Awaitable<void> {
  return writer.run(deleteByEmailStatement, { emailKey: email.toLowerCase() })
}

const saveStatement = statement<{ id: number }>(({ db, values }) => {
  const updated = values('tokenHash', 'email', 'role', 'departments', 'createdAt', 'expiresAt')
  return db
    .insertInto('invitation')
    .values({ ...updated, ...values('companyId', 'emailKey') })
    .onConflict((conflict) => conflict.columns(['companyId', 'emailKey']).doUpdateSet(updated))
    .returning('id')
})

const deleteByEmailStatement = statement(deleteWhere('invitation', 'emailKey'))
