// Finds the company of a command, and the context of its actions; parses time zone and currency.
import type { WriteContext } from '../../auth/action-context.ts'
import { canonicalTimeZone, parseSettings } from '../../auth/companies/company-settings.ts'
import { generateId } from '../../auth/tokens/secret.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import { closestMatch } from '../../lib/closest-match.ts'
import { findCompany, listCompanies } from '../../store/accounts/companies.ts'
import type { Runtime } from '../../server/environment.ts'
import type { Reader } from '../../store/store.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'

/** Finds a company by name, in any letter case. Throws an `OperatorError` with the closest name. */
export async function getCompany(reader: Reader, name: string): Promise<CompanyTable> {
  const found = await findCompany(reader, name)
  if (found !== undefined) return found
  const names = (await listCompanies(reader)).map((company) => company.name)
  const near = closestMatch(name, names)
  throw new OperatorError(`There is no company "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`)
}

/** Finds the named company, or the only one. */
export async function resolveCompany(reader: Reader, name: string | undefined): Promise<CompanyTable> {
  if (name !== undefined) return getCompany(reader, name)
  const [only, another] = await listCompanies(reader)
  if (only === undefined) throw new OperatorError('There is no company yet. Add one with "dagsverk company add".')
  if (another !== undefined) throw usageError('There are several companies. Specify one with --company.')
  return only
}

/** Parses the name of an IANA time zone. */
export function parseTimezone(text: string): string {
  const zone = canonicalTimeZone(text)
  if (zone !== null) return zone
  const near = closestMatch(text, Intl.supportedValuesOf('timeZone'))
  const hint = near === undefined ? 'Use a name like Europe/Oslo.' : `Did you mean ${near}?`
  throw usageError(`There is no time zone "${text}". ${hint}`)
}

export function parseCurrency(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw usageError(`"${text}" is not a currency. Use three letters like NOK.`)
  return text.toUpperCase()
}

/** The context of an action of the operator on a company. */
export function operatorContext({ timezone, settings }: CompanyTable, runtime: Runtime): WriteContext {
  return {
    actor: 'operator',
    source: 'operator',
    requestId: `cli-${generateId(runtime.random)}`,
    now: runtime.clock(),
    zone: timezone,
    settings: parseSettings(settings),
    canApprove: true,
  }
}
