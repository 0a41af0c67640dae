// Invitations to a company: create, look up and accept.
import { companyIdForInvitation } from '../caller.ts'
import { membershipRow, type MembershipRole } from './company-people.ts'
import { generateToken, hashToken, type Random } from '../tokens/secret.ts'
import { ApiError } from '../../errors/api-error.ts'
import { microsecondsPerDay } from '../../lib/timestamp.ts'
import { insertAuditEntry } from '../../store/audit/audit.ts'
import { findCompanyById } from '../../store/accounts/companies.ts'
import { findInvitation, saveInvitation, consumeInvitation } from '../../store/accounts/invitations.ts'
import type { Reader, Store, Transaction } from '../../store/store.ts'
import type { CompanyTable, InvitationTable } from '../../store/tables/accounts.ts'
import { findUser, insertUser, listMembers, saveMembership } from '../../store/accounts/users.ts'

export const invitationLifetime = 7 * microsecondsPerDay

/** How long an expired invitation is listed, so that it is sent again or withdrawn; then it is deleted. */
export const expiredInvitationLifetime = 30 * microsecondsPerDay

/** Creates an invitation; its token is not stored. Throws `AlreadyExists` for a member of the company. */
export async function createInvitation(
  transaction: Transaction,
  email: string,
  membership: MembershipRole,
  { random, now }: { readonly random: Random; readonly now: number },
): Promise<{ id: number; token: string }> {
  const { companyId } = transaction
  const known = await findUser(transaction, email)
  const members = await listMembers(transaction, { companyId })
  if (members.some(({ id }) => id === known?.id)) throw new ApiError('AlreadyExists', { params: { what: email } })
  const token = generateToken(random)
  const { role, departments } = membershipRow(companyId, 0, membership)
  const id = await saveInvitation(transaction, {
    tokenHash: hashToken(token),
    companyId,
    email,
    role,
    departments,
    createdAt: now,
    expiresAt: now + invitationLifetime,
  })
  return { id, token }
}

export interface PendingInvitation {
  readonly invitation: InvitationTable
  readonly company: CompanyTable
  /** The person already has an account, and joins with its password. */
  readonly hasAccount: boolean
}

/** Finds the invitation of a token. Throws `InvalidLink`. */
export async function findInvitationByToken(reader: Reader, token: string, now: number): Promise<PendingInvitation> {
  const invitation = await findInvitation(reader, { tokenHash: hashToken(token), now })
  const company = invitation === undefined ? undefined : await findCompanyById(reader, { id: invitation.companyId })
  if (invitation === undefined || company?.disabledAt !== null) throw new ApiError('InvalidLink')
  return { invitation, company, hasAccount: (await findUser(reader, invitation.email)) !== undefined }
}

/** The account of a person who has none yet. */
export interface NewPerson {
  readonly name: string
  readonly passwordHash: string
}

/**
 * Accepts the invitation, once. `person` is null for an existing account whose password was verified. Throws
 * `InvalidLink`, and `AlreadyExists` when an account with the address was created in the meantime.
 */
export async function acceptInvitation(
  store: Store,
  { invitation, company }: PendingInvitation,
  person: NewPerson | null,
  { now, requestId }: { readonly now: number; readonly requestId: string },
): Promise<void> {
  return store.inTransaction(companyIdForInvitation(company), async (transaction) => {
    const taken = await consumeInvitation(transaction, { tokenHash: invitation.tokenHash, now })
    if (taken === undefined) throw new ApiError('InvalidLink')
    const { email, role, departments, companyId } = taken
    const known = await findUser(transaction, email)
    if ((known === undefined) !== (person !== null)) throw new ApiError('AlreadyExists', { params: { what: email } })
    const user =
      person === null ? (known?.id ?? 0) : await insertUser(transaction, { email, ...person, isOperator: 0 }, now)
    const members = await listMembers(transaction, { companyId })
    // A person who became a member in the meantime keeps the role that an administrator assigned.
    if (!members.some(({ id }) => id === user))
      await saveMembership(transaction, { companyId, userId: user, role, departments })
    const context = { actor: `user:${user}`, requestId, now }
    await insertAuditEntry(transaction, context, { action: 'person-join', data: { user, role } })
  })
}
