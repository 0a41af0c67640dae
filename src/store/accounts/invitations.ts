// Invitations that wait to be accepted.
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { InvitationTable } from '../tables/accounts.ts'

/** Whoever was invited to the company before is invited by this link alone; the invitation's number. */
export async function saveInvitation(
  writer: Writer,
  invitation: Omit<InvitationTable, 'id' | 'emailKey'>,
): Promise<number> {
  const emailKey = invitation.email.toLowerCase()
  const row = await writer.first(saveStatement, { ...invitation, emailKey })
  if (row === undefined) throw new Error('an insert that returns nothing')
  return row.id
}

/** One that is good at this moment, in microseconds. */
export function findInvitation(
  reader: Reader,
  tokenHash: string,
  now: number,
): Awaitable<InvitationTable | undefined> {
  return reader.first(findStatement, { tokenHash, now })
}

/** Ends it; of several who come with one link at once, one gets it. */
export function takeInvitation(
  writer: Writer,
  tokenHash: string,
  now: number,
): Awaitable<InvitationTable | undefined> {
  return writer.first(takeStatement, { tokenHash, now })
}

export type ListedInvitation = Pick<
  InvitationTable,
  'id' | 'email' | 'role' | 'departments' | 'createdAt' | 'expiresAt'
>

export function listInvitations(reader: Reader, companyId: number): Awaitable<ListedInvitation[]> {
  return reader.all(listStatement, { companyId })
}

/** Whether there was one of this number in the company. */
export async function withdrawInvitation(
  writer: Writer,
  companyId: number,
  id: number,
): Promise<boolean> {
  return (await writer.first(withdrawStatement, { companyId, id })) !== undefined
}

/** Forgets everybody who was invited by this address. */
export function forgetInvitations(writer: Writer, email: string): Awaitable<void> {
  return writer.run(forgetStatement, { emailKey: email.toLowerCase() })
}

const saveStatement = statement<{ id: number }>(({ db, values }) => {
  const changing = values('tokenHash', 'email', 'role', 'departments', 'createdAt', 'expiresAt')
  return db
    .insertInto('invitation')
    .values({ ...changing, ...values('companyId', 'emailKey') })
    .onConflict((conflict) => conflict.columns(['companyId', 'emailKey']).doUpdateSet(changing))
    .returning('id')
})

const findStatement = statement<InvitationTable>(({ db, value }) =>
  db
    .selectFrom('invitation')
    .selectAll()
    .where('tokenHash', '=', value('tokenHash'))
    .where('expiresAt', '>', value('now')),
)

const takeStatement = statement<InvitationTable>(({ db, value }) =>
  db
    .deleteFrom('invitation')
    .where('tokenHash', '=', value('tokenHash'))
    .where('expiresAt', '>', value('now'))
    .returningAll(),
)

const listStatement = statement<ListedInvitation>(({ db, value }) =>
  db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'departments', 'createdAt', 'expiresAt'])
    .where('companyId', '=', value('companyId'))
    .orderBy('emailKey'),
)

const withdrawStatement = statement<{ id: number }>(({ db, value }) =>
  db
    .deleteFrom('invitation')
    .where('companyId', '=', value('companyId'))
    .where('id', '=', value('id'))
    .returning('id'),
)

const forgetStatement = statement(({ db, value }) =>
  db.deleteFrom('invitation').where('emailKey', '=', value('emailKey')),
)
