// Members of a company: change their role, disable and enable them.
import type { Role } from '../roles.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'
import type { Transaction } from '../../store/store.ts'
import { disableMembership, listMembers, saveMembership, type CompanyMember } from '../../store/accounts/users.ts'

export interface MembershipRole {
  readonly role: Role
  /** Departments of an approver; null means all. */
  readonly departments: readonly string[] | null
}

/** Takes effect with the person's next request. Throws `NotFound` and `LastAdministrator`. */
export async function updateMember(
  transaction: Transaction,
  userId: number,
  membershipRole: MembershipRole,
  company: string,
): Promise<void> {
  await requireMember(transaction, userId)
  await saveMembership(transaction, membershipRow(transaction.companyId, userId, membershipRole))
  await requireAdministrator(transaction, company)
}

/** Disables the membership immediately, or enables it again with null. Throws `NotFound` and `LastAdministrator`. */
export async function setMemberDisabled(
  transaction: Transaction,
  userId: number,
  disabledAt: number | null,
  company: string,
): Promise<void> {
  await requireMember(transaction, userId)
  await disableMembership(transaction, { companyId: transaction.companyId, userId, disabledAt })
  await requireAdministrator(transaction, company)
}

/** The membership row of a role. */
export function membershipRow(companyId: number, userId: number, { role, departments }: MembershipRole) {
  return { companyId, userId, role, departments: departments === null ? null : JSON.stringify(departments) }
}

async function requireMember(transaction: Transaction, userId: number): Promise<void> {
  const members = await listMembers(transaction, { companyId: transaction.companyId })
  if (!members.some(({ id }) => id === userId)) throw notFoundError(String(userId))
}

async function requireAdministrator(transaction: Transaction, company: string): Promise<void> {
  const members = await listMembers(transaction, { companyId: transaction.companyId })
  const isLeft = members.some(({ role, disabledAt }: CompanyMember) => role === 'admin' && disabledAt === null)
  if (!isLeft) throw new ApiError('LastAdministrator', { params: { company } })
}
