// `dagsverk company set`: changes settings or password; effective with the next request.
import { Option, type Command } from '@commander-js/extra-typings'
import { listAllowedNetworks } from '../../auth/authenticator/allowed-networks.ts'
import {
  parseSetting,
  parseSettings,
  companySettingNames,
  writeSettings,
  type CompanySettings,
  type CompanySettingName,
} from '../../auth/companies/company-settings.ts'
import { createPasswordRow, type PasswordInput } from '../../auth/tokens/credential-factory.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { addStoreAction } from '../support/store-action.ts'
import { runAudited } from '../support/audited.ts'
import { parseNetworksFlag, parseScopesFlag, requireRestrictedNetworks } from '../support/credential-terms.ts'
import { getCompany, parseCurrency, parseTimezone } from '../support/resolve-company.ts'
import { printOne, type JsonFlag } from '../support/print.ts'
import {
  isPasswordGiven,
  readPassword,
  printablePassword,
  withPasswordFlags,
  withLegacyPassword,
  type PasswordFlags,
} from '../support/secret-input.ts'
import type { Runtime } from '../../server/environment.ts'
import { usageError } from '../../lib/operator-error.ts'
import { updateCompany } from '../../store/accounts/companies.ts'
import {
  companyPasswordOwner,
  insertCredential,
  listActivePasswords,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import type { Writer } from '../../store/store.ts'
import type { CompanyTable, CredentialTable } from '../../store/tables/accounts.ts'

/** Values as they are typed: `on` or `off` for a switch. */
type SettingFlags = Readonly<Partial<Record<CompanySettingName, string>>>

interface CompanySetFlags extends JsonFlag, PasswordFlags, SettingFlags {
  readonly timezone?: string
  readonly currency?: string
  readonly newPassword?: boolean
  readonly keepOldPassword?: boolean
  readonly scopes?: string
  readonly allowFrom?: string
}

export function addCompanySetCommand(company: Command, runtime: Runtime): void {
  const command = company
    .command('set <name>')
    .description('change the settings or the password of a company')
    .option('--timezone <zone>', 'time zone of the company')
    .option('--currency <code>', 'currency of its amounts')
    .option('--new-password', 'generate a new password and print it once')
    .option('--keep-old-password', 'keep the previous password valid')
    .option('--scopes <list>', 'scopes of the password')
    .option('--allow-from <networks>', 'networks the password may be used from; "" for any')
    .option('--json', 'print JSON')
  for (const [name, setting] of Object.entries(companySettingNames)) {
    const [description, values = 'on|off'] = settingDescriptions[setting]
    const option = new Option(`--${name} <${values}>`, description)
    command.addOption(values.includes('|') ? option.choices(values.split('|')) : option)
  }
  const withPassword = withLegacyPassword(withPasswordFlags(command))
  addStoreAction(withPassword, runtime, async ({ store, flags, cryptoContext }, name) => {
    const company = await getCompany(store, name)
    const password = await requestedPassword(runtime, flags, name)
    const made =
      password === null
        ? null
        : await createPasswordRow(await cryptoContext(), password, {
            companyId: company.id,
            scopes: passwordScopes,
            allowedNetworks: null,
            expiresInDays: null,
          })
    const changed = await runAudited(store, runtime, {
      company,
      action: 'settings',
      execute: async (writer) => {
        const after = applySettings(await getCompany(writer, name), flags)
        await updateCompany(writer, after)
        await changeCredentials(writer, after, made, flags, runtime)
        return after
      },
      auditData: { changed: Object.keys(flags).join(' ') },
    })
    const shown = {
      company: changed.name,
      timezone: changed.timezone,
      currency: changed.currency,
      ...parseSettings(changed.settings),
      ...(password === null ? {} : printablePassword(password)),
    }
    printOne(runtime, shown, flags)
  })
}

/** What a setting does, and its values. */
const settingDescriptions: Readonly<Record<CompanySettingName, readonly [string, string?]>> = {
  dayEndsAt: ['the time until which sales belong to the day before; reported to callers, not applied', 'HH:MM'],
  amounts: ['whether amounts contain tax; reported to callers, not applied', 'unstated|with-tax|without-tax'],
  refusesZones: ['reject dates with a time zone or offset'],
  forbidsSecondRecord: ['reject an insert when the cell already has a record'],
  requiresFourEyes: ['who registered a transaction, or changed it last, may not approve it'],
  refusesQueryCredentials: ['reject passwords and keys in the query string'],
  requiresKnownSubjects: ['reject transactions with unknown directory references'],
  requiresFactorOfRegistrant: ['require a second factor of registrants'],
  requiresFactorOfViewer: ['require a second factor of viewers'],
  requiresFactorOfApprover: ['require a second factor of approvers'],
  requiresFactorOfAuditor: ['require a second factor of auditors'],
  requiresFactorOfAdmin: ['require a second factor of administrators'],
}

async function requestedPassword(
  runtime: Runtime,
  flags: CompanySetFlags,
  name: string,
): Promise<PasswordInput | null> {
  const isGiven = isPasswordGiven(flags) || flags.legacyPassword
  if (flags.newPassword && isGiven)
    throw usageError('--new-password generates a password and cannot be combined with a given one.')
  return flags.newPassword || isGiven ? readPassword(runtime, flags, [name]) : null
}

function applySettings(before: CompanyTable, flags: CompanySetFlags): CompanyTable {
  const changed: Partial<CompanySettings> = Object.fromEntries(
    Object.entries(companySettingNames).flatMap(([flag, name]) => {
      const text = flags[name]
      if (text === undefined) return []
      const value = parseSetting(name, text)
      if (value === undefined) throw usageError(`--${flag} requires a time of day, like 03:00.`)
      return [[name, value]]
    }),
  )
  return {
    ...before,
    timezone: flags.timezone === undefined ? before.timezone : parseTimezone(flags.timezone),
    currency: flags.currency === undefined ? before.currency : parseCurrency(flags.currency),
    settings: writeSettings({ ...parseSettings(before.settings), ...changed }),
  }
}

/** Changes the active passwords of the company itself and inserts the new one; those of integrations have their own terms. */
async function changeCredentials(
  writer: Writer,
  company: CompanyTable,
  made: CredentialTable | null,
  flags: CompanySetFlags,
  { clock }: Runtime,
): Promise<void> {
  if (made === null && flags.scopes === undefined && flags.allowFrom === undefined) return
  const terms = (one: CredentialTable): Pick<CredentialTable, 'scopes' | 'allowedNetworks'> => ({
    scopes: flags.scopes === undefined ? one.scopes : parseScopesFlag(flags.scopes, 'password').join(' '),
    allowedNetworks: flags.allowFrom === undefined ? one.allowedNetworks : parseAllowedNetworksFlag(flags.allowFrom),
  })
  const live = (await listActivePasswords(writer, { companyId: company.id })).filter(
    ({ owner }) => owner === companyPasswordOwner,
  )
  const revokedAt = made !== null && !flags.keepOldPassword ? clock() : null
  for (const one of live) {
    const changed = { ...one, ...terms(one), revokedAt }
    if (revokedAt === null) requireBoundRow(changed)
    await updateCredential(writer, changed)
  }
  if (made === null) return
  // A new password inherits the terms of the previous one.
  const old = live[0] ?? made
  const row = { ...made, ...terms(old) }
  requireBoundRow(row)
  await insertCredential(writer, row)
}

function requireBoundRow(row: CredentialTable): void {
  return requireRestrictedNetworks(row.secretKind, listAllowedNetworks(row))
}

function parseAllowedNetworksFlag(allowFrom: string): string | null {
  return allowFrom === '' ? null : JSON.stringify(parseNetworksFlag(allowFrom))
}
