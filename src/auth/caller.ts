// Caller: the authenticated company, credential and scopes of a request.
import { parseSettings, type CompanySettings } from './companies/company-settings.ts'
import { isRole, scopesOfRole, type Role } from './roles.ts'
import { parseScopes, passwordScopes, type Scope } from './scopes.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import { companyPasswordOwner } from '../store/accounts/credentials.ts'
import type { CompanyTable, CredentialTable, MemberKey, MembershipTable, UserTable } from '../store/tables/accounts.ts'

export interface Company {
  readonly name: string
  /** Like `Europe/Oslo`. */
  readonly zone: string
  /** Like `NOK`. */
  readonly currency: string
  readonly settings: CompanySettings
}

export interface Caller {
  readonly companyId: CompanyId
  readonly company: Company
  readonly credentialId: string
  /** Actor in audit entries: `password` for the company's own, `password:ab12cd34` or `key:ab12cd34` for an integration's. */
  readonly actor: string
  /** Default source of registered transactions: the name of the key, or `api`. */
  readonly source: string
  readonly scopes: ReadonlySet<Scope>
  /** Owner of idempotency keys; both keys of a rotation have the same owner. */
  readonly owner: string
  /** The credential was sent in the query string. */
  readonly viaQuery: boolean
}

/** Creates the caller of a verified credential. */
export function callerOf(company: CompanyTable, credential: CredentialTable, viaQuery: boolean): Caller {
  const { scopes } = parseScopes(credential.scopes)
  const isPassword = credential.kind === 'password'
  return {
    ...companyOf(company),
    credentialId: credential.id,
    actor: actorOf(credential),
    source: isPassword ? 'api' : credential.name,
    scopes: new Set(isPassword ? scopes.filter((one) => passwordScopes.includes(one)) : scopes),
    owner: credential.owner,
    viaQuery,
  }
}

export function actorOf({ kind, id, owner }: Pick<CredentialTable, 'kind' | 'id' | 'owner'>): string {
  return owner === companyPasswordOwner ? 'password' : `${kind}:${id}`
}

/** An operator may access every company: at the command line, and in the app to add, close and reopen one. */
export function companyIdForOperator(company: Pick<CompanyTable, 'id'>): CompanyId {
  return toCompanyId(company)
}

/** The bearer of a valid invitation may join the company that issued it. */
export function companyIdForInvitation(company: CompanyTable): CompanyId {
  return toCompanyId(company)
}

/** Sign-ins, successful or not, are audited in the company of the member or credential. */
export function companyIdForSession({ companyId }: { readonly companyId: number }): CompanyId {
  return toCompanyId({ id: companyId })
}

/** A signed-in person as a member of a company. */
export interface SignedInMember {
  readonly caller: Caller
  readonly userId: number
  readonly email: string
  /** Null where it is unknown. */
  readonly name: string | null
  readonly role: Role
  /** Departments that an approver may decide on; null means all. */
  readonly departments: readonly string[] | null
}

/** The key of the rows that belong to a member. */
export function memberKeyOf({ caller, userId }: Pick<SignedInMember, 'caller' | 'userId'>): MemberKey {
  return { companyId: caller.companyId, userId }
}

/** Creates the member for a signed-in person; null when the stored role is unknown. */
export function memberOf(
  company: CompanyTable,
  user: Pick<UserTable, 'id' | 'email' | 'name'>,
  membership: Pick<MembershipTable, 'role' | 'departments'>,
): SignedInMember | null {
  const { role, departments } = membership
  if (!isRole(role)) return null
  const actor = `user:${user.id}`
  return {
    caller: {
      ...companyOf(company),
      credentialId: actor,
      actor,
      scopes: new Set(scopesOfRole[role]),
      source: memberSource,
      owner: actor,
      viaQuery: false,
    },
    userId: user.id,
    email: user.email,
    name: user.name,
    role,
    departments: departments === null ? null : JSON.parse(departments),
  }
}

/** Source of material that is registered in the app. */
const memberSource = 'app'

function companyOf(company: CompanyTable): Pick<Caller, 'companyId' | 'company'> {
  return {
    companyId: toCompanyId(company),
    company: {
      name: company.name,
      zone: company.timezone,
      currency: company.currency,
      settings: parseSettings(company.settings),
    },
  }
}

/** The only cast to `CompanyId`. */
function toCompanyId({ id }: Pick<CompanyTable, 'id'>): CompanyId {
  return id as CompanyId
}
