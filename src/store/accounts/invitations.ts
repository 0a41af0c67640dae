// Invitations that are not accepted yet.
import { deleteBefore, deleteReturning, deleteWhere, selectWhere, upsertInto } from '../row-statements.ts'
import { command, commandChanges, commandReturning, rowsQuery, rowQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { Awaitable, Writer } from '../store.ts'
import type { InvitationTable } from '../tables/accounts.ts'

/** Replaces an earlier invitation of the same person to the company; returns the id. */
export async function saveInvitation(
  writer: Writer,
  invitation: Omit<InvitationTable, 'id' | 'emailKey'>,
): Promise<number> {
  const row = await saveRow(writer, { ...invitation, emailKey: invitation.email.toLowerCase() })
  if (row === undefined) throw new Error('an insert that returns nothing')
  return row.id
}

/** An invitation that is valid at this time, in microseconds. */
export const findInvitation = rowQuery<{ tokenHash: string; now: number }, InvitationTable>(
  ({ value }) => sql`
    select * from invitation where "tokenHash" = ${value('tokenHash')} and "expiresAt" > ${value('now')}`,
)

/** Deletes and returns the invitation; of several concurrent requests with one token, one gets it. */
export const consumeInvitation = commandReturning<{ tokenHash: string; now: number }, InvitationTable>(
  ({ value }) => sql`
    delete from invitation where "tokenHash" = ${value('tokenHash')} and "expiresAt" > ${value('now')} returning *`,
)

const summaryColumns = ['id', 'email', 'role', 'departments', 'createdAt', 'expiresAt'] as const

export type InvitationSummary = Pick<InvitationTable, (typeof summaryColumns)[number]>

export const listInvitations = rowsQuery(
  selectWhere('invitation', ['companyId'], { columns: summaryColumns, orderBy: ['emailKey'] }),
)

/** False where the company has no invitation with this id. */
export const deleteInvitation = commandChanges(deleteReturning('invitation', 'companyId', 'id'))

/** Deletes the invitations to this e-mail address, in every company. */
export function deleteInvitationsTo(writer: Writer, email: string): Awaitable<void> {
  return deleteByEmail(writer, { emailKey: email.toLowerCase() })
}

/** Deletes the invitations that expired before this time, in microseconds. */
export const deleteInvitationsBefore = command(deleteBefore('invitation', 'expiresAt'))

const upsertRow = upsertInto(
  'invitation',
  ['companyId', 'emailKey'],
  ['tokenHash', 'email', 'role', 'departments', 'createdAt', 'expiresAt'],
)

const saveRow = commandReturning<Omit<InvitationTable, 'id'>, { id: number }>(
  (build) => sql`${upsertRow(build)} returning id`,
)

const deleteByEmail = command(deleteWhere('invitation', 'emailKey'))
