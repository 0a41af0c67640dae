// Finding a company by its name, and reading what is said about one.
import { zoneNamed } from '../../auth/companies/company-settings.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { nearest } from '../../lib/closest-match.ts'
import { findCompany, listCompanies } from '../../store/accounts/companies.ts'
import type { Reader } from '../../store/store.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'

/** The company of this name, in any letter case. Throws an `OperatorError` with the nearest name. */
export async function companyNamed(reader: Reader, name: string): Promise<CompanyTable> {
  const found = await findCompany(reader, name)
  if (found !== undefined) return found
  const names = (await listCompanies(reader)).map((company) => company.name)
  const near = nearest(name, names)
  throw new OperatorError(
    `There is no company "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
  )
}

/** Where there is one company, nobody has to name it. */
export async function companyMeant(
  reader: Reader,
  name: string | undefined,
): Promise<CompanyTable> {
  if (name !== undefined) return companyNamed(reader, name)
  const [only, another] = await listCompanies(reader)
  if (only === undefined)
    throw new OperatorError('There is no company yet: "dagsverk company add".')
  if (another !== undefined)
    throw new OperatorError(
      'There are several companies: name one with --company.',
      exitCodes.usage,
    )
  return only
}

/** A time zone of the IANA database, as it spells it. */
export function readTimezone(text: string): string {
  const zone = zoneNamed(text)
  if (zone !== null) return zone
  const near = nearest(text, Intl.supportedValuesOf('timeZone'))
  throw new OperatorError(
    `There is no time zone "${text}"${near === undefined ? ', write one like Europe/Oslo.' : `. Did you mean ${near}?`}`,
    exitCodes.usage,
  )
}

export function readCurrency(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text))
    throw new OperatorError(
      `"${text}" is no currency: write three letters like NOK.`,
      exitCodes.usage,
    )
  return text.toUpperCase()
}
