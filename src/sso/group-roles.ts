// Group-to-role mapping: provider groups grant roles in companies (ADR 0042).
import { companyIdForOperator } from '../auth/caller.ts'
import { isRole, roles, type Role } from '../auth/roles.ts'
import { insertAuditEntry } from '../store/audit/audit.ts'
import { companyKey, findCompany } from '../store/accounts/companies.ts'
import { findMembership, saveGroupMembership } from '../store/accounts/identities.ts'
import type { Store } from '../store/store.ts'
import type { CompanyTable, MembershipTable } from '../store/tables/accounts.ts'

export interface GroupRole {
  readonly group: string
  readonly company: string
  readonly role: Role
}

/** Parses `group=company:role`. Throws a `RangeError` with the reason. */
export function parseGroupRole(text: string): GroupRole {
  const found = /^(?<group>[^=]+)=(?<company>.+):(?<role>[^:]+)$/.exec(text)?.groups
  const { group = '', company = '', role = '' } = found ?? {}
  if (!isRole(role)) throw new RangeError(`write GROUP=COMPANY:ROLE, the role one of ${roles.join(' ')}`)
  return { group, company, role }
}

interface SignedInPerson {
  readonly userId: number
  readonly groups: readonly string[]
  readonly requestId: string
  readonly now: number
}

/** Whether the groups grant a role in an existing company. */
export async function grantsAnyRole(
  store: Store,
  rules: readonly GroupRole[],
  groups: readonly string[],
): Promise<boolean> {
  for (const { company } of rules.filter(({ group }) => groups.includes(group)))
    if ((await findCompany(store, company)) !== undefined) return true
  return false
}

/**
 * Grants the roles that the groups give and removes those they no longer give. Roles assigned by people stay. Rules for
 * unknown companies are ignored.
 */
export async function applyGroupRoles(
  store: Store,
  rules: readonly GroupRole[],
  person: SignedInPerson,
): Promise<void> {
  for (const [name, rulesOfCompany] of Map.groupBy(rules, ({ company }) => companyKey(company))) {
    const company = await findCompany(store, name)
    if (company === undefined) continue
    const given = rulesOfCompany.filter(({ group }) => person.groups.includes(group))
    // When several groups give roles, the one with the most rights wins.
    const highest = rolesByRights.find((role) => given.some((rule) => rule.role === role))
    await applyInCompany(store, company, highest ?? null, person)
  }
}

const rolesByRights = ['admin', 'approver', 'auditor', 'viewer', 'registrant'] as const

/** Audited like a change by an administrator; writes nothing when nothing changes. */
async function applyInCompany(
  store: Store,
  company: CompanyTable,
  role: Role | null,
  { userId, requestId, now }: SignedInPerson,
): Promise<void> {
  const before = await findMembership(store, { companyId: company.id, userId })
  if (membershipChange(before, role, now) === null) return
  await store.inTransaction(companyIdForOperator(company), async (transaction) => {
    const found = await findMembership(transaction, { companyId: company.id, userId })
    const change = membershipChange(found, role, now)
    if (change === null) return
    await saveGroupMembership(transaction, { companyId: company.id, userId, ...change }, found)
    const action = change.setByGroups === 'revoked' ? 'person-disable' : 'person-change'
    const data = { user: userId, role: change.role }
    await insertAuditEntry(transaction, { actor: 'groups', requestId, now }, { action, data })
  })
}

type Change = Omit<MembershipTable, 'companyId' | 'userId'>

/** Null when nothing changes, also for members that a person disabled. */
function membershipChange(before: MembershipTable | undefined, role: Role | null, now: number): Change | null {
  if (role === null)
    return before?.setByGroups === 'granted' && before.disabledAt === null
      ? { ...before, setByGroups: 'revoked', disabledAt: now }
      : null
  if (before === undefined) return { role, departments: null, disabledAt: null, setByGroups: 'granted' }
  if (before.setByGroups === null || (before.setByGroups === 'granted' && before.role === role)) return null
  const disabledAt = before.setByGroups === 'revoked' ? null : before.disabledAt
  return { role, departments: null, disabledAt, setByGroups: 'granted' }
}
