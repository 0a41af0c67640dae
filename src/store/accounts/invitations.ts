// Invitations that are not accepted yet.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
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
export function findInvitation(reader: Reader, tokenHash: string, now: number): Awaitable<InvitationTable | undefined> {
  return reader.first(findStatement, { tokenHash, now })
}

/** Deletes and returns the invitation; of several concurrent requests with one token, one gets it. */
export function consumeInvitation(
  writer: Writer,
  tokenHash: string,
  now: number,
): Awaitable<InvitationTable | undefined> {
  return writer.first(consumeStatement, { tokenHash, now })
}

export type InvitationSummary = Pick<
  InvitationTable,
  'id' | 'email' | 'role' | 'departments' | 'createdAt' | 'expiresAt'
>

export function listInvitations(reader: Reader, companyId: number): Awaitable<InvitationSummary[]> {
  return reader.all(listStatement, { companyId })
}

/** False where the company has no invitation with this id. */
export async function deleteInvitation(writer: Writer, companyId: number, id: number): Promise<boolean> {
  return (await writer.first(deleteOneStatement, { companyId, id })) !== undefined
}

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

const findStatement = statement<InvitationTable>(({ db, value }) =>
  db
    .selectFrom('invitation')
    .selectAll()
    .where('tokenHash', '=', value('tokenHash'))
    .where('expiresAt', '>', value('now')),
)

const consumeStatement = statement<InvitationTable>(({ db, value }) =>
  db
    .deleteFrom('invitation')
    .where('tokenHash', '=', value('tokenHash'))
    .where('expiresAt', '>', value('now'))
    .returningAll(),
)

const listStatement = statement<InvitationSummary>(({ db, value }) =>
  db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'departments', 'createdAt', 'expiresAt'])
    .where('companyId', '=', value('companyId'))
    .orderBy('emailKey'),
)

const deleteOneStatement = statement<{ id: number }>(({ db, value }) =>
  db.deleteFrom('invitation').where('companyId', '=', value('companyId')).where('id', '=', value('id')).returning('id'),
)

const deleteByEmailStatement = statement(({ db, value }) =>
  db.deleteFrom('invitation').where('emailKey', '=', value('emailKey')),
)
