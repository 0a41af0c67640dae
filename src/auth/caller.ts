// Who calls: the company whose data is open, and what may be done with it.
import { parseSettings, type CompanySettings } from './companies/company-settings.ts'
import { isRole, scopesOfRole, type Role } from './roles.ts'
import { parseScopes, passwordScopes, type Scope } from './scopes.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import type {
  CompanyTable,
  CredentialTable,
  MembershipTable,
  UserTable,
} from '../store/tables/accounts.ts'

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
  /** Whom the journal names: `password` or `key:ab12cd34`. */
  readonly actor: string
  /** Where what is registered comes from unless it says otherwise: the name of the key, or `api`. */
  readonly source: string
  readonly scopes: ReadonlySet<Scope>
  /** Whose idempotency keys these are; the two keys of a rotation have one owner. */
  readonly owner: string
  /** The secret stood in the address. */
  readonly viaQuery: boolean
}

/** Makes the caller of a verified credential. */
export function callerOf(
  company: CompanyTable,
  credential: CredentialTable,
  viaQuery: boolean,
): Caller {
  const { scopes } = parseScopes(credential.scopes)
  const isPassword = credential.kind === 'password'
  return {
    ...placeOf(company),
    credentialId: credential.id,
    actor: actorOf(credential),
    source: isPassword ? 'api' : credential.name,
    scopes: new Set(isPassword ? scopes.filter((one) => passwordScopes.includes(one)) : scopes),
    owner: credential.owner,
    viaQuery,
  }
}

export function actorOf({ kind, id }: Pick<CredentialTable, 'kind' | 'id'>): string {
  return kind === 'password' ? 'password' : `key:${id}`
}

/** An operator has the server, and with it every company: at the command line, and in the app to add, close and open one. */
export function openedByOperator(company: Pick<CompanyTable, 'id'>): CompanyId {
  return companyIdOf(company)
}

/** Whoever brings an invitation that the company wrote may join it. */
export function openedByInvitation(company: CompanyTable): CompanyId {
  return companyIdOf(company)
}

/** Whoever comes in, or is refused, is noted in the company whose member or credential it is. */
export function openedByEntering({ companyId }: { readonly companyId: number }): CompanyId {
  return companyIdOf({ id: companyId })
}

/** A person at work in a company. */
export interface Member {
  readonly caller: Caller
  readonly userId: number
  readonly email: string
  readonly role: Role
  /** Where an approver decides; null for everywhere. */
  readonly departments: readonly string[] | null
}

/** Makes the caller of a person who is signed in; null where the stored role is none. */
export function memberOf(
  company: CompanyTable,
  user: Pick<UserTable, 'id' | 'email'>,
  membership: Pick<MembershipTable, 'role' | 'departments'>,
): Member | null {
  const { role, departments } = membership
  if (!isRole(role)) return null
  const name = `user:${user.id}`
  return {
    caller: {
      ...placeOf(company),
      credentialId: name,
      actor: name,
      scopes: new Set(scopesOfRole[role]),
      source: memberSource,
      owner: name,
      viaQuery: false,
    },
    userId: user.id,
    email: user.email,
    role,
    departments: departments === null ? null : namesIn(departments),
  }
}

/** Where material comes from that is registered in the service itself. */
const memberSource = 'app'

function namesIn(stored: string): string[] {
  const read: unknown = JSON.parse(stored)
  return Array.isArray(read) ? read.map(String) : []
}

function placeOf(company: CompanyTable): Pick<Caller, 'companyId' | 'company'> {
  return {
    companyId: companyIdOf(company),
    company: {
      name: company.name,
      zone: company.timezone,
      currency: company.currency,
      settings: parseSettings(company.settings),
    },
  }
}

/** The one cast of the house: from here on the number is proof. */
function companyIdOf({ id }: Pick<CompanyTable, 'id'>): CompanyId {
  return id as CompanyId
}
