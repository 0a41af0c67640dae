// Who calls: the company whose data is open, and what may be done with it.
import { parseSettings, type CompanySettings } from '#auth/company-settings.ts'
import { parseScopes, passwordScopes, type Scope } from '#auth/scopes.ts'
import type { CompanyId } from '#model/resource.ts'
import type { CompanyTable, CredentialTable } from '#store/tables.ts'

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
export const callerOf = (
  company: CompanyTable,
  credential: CredentialTable,
  viaQuery: boolean,
): Caller => {
  const { scopes } = parseScopes(credential.scopes)
  const isPassword = credential.kind === 'password'
  return {
    companyId: companyIdOf(company),
    company: {
      name: company.name,
      zone: company.timezone,
      currency: company.currency,
      settings: parseSettings(company.settings),
    },
    credentialId: credential.id,
    actor: isPassword ? 'password' : `key:${credential.id}`,
    source: isPassword ? 'api' : credential.name,
    scopes: new Set(isPassword ? scopes.filter((one) => passwordScopes.includes(one)) : scopes),
    owner: credential.owner,
    viaQuery,
  }
}

/** An operator at the command line has the database, and with it every company. */
export const openedByOperator = (company: CompanyTable): CompanyId => companyIdOf(company)

/** The one cast of the house: from here on the number is proof. */
const companyIdOf = (company: CompanyTable): CompanyId => company.id as CompanyId
