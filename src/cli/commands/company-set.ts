// `dagsverk company set`: changes a company's settings or its password, effective with the next request.
import { Option, type Command } from 'commander'
import { addressesOf } from '../../auth/authenticator/allowed-networks.ts'
import {
  parseSettings,
  settingNames,
  writeSettings,
  type CompanySettings,
  type SettingName,
} from '../../auth/companies/company-settings.ts'
import { newPassword, type Password } from '../../auth/tokens/credential-factory.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { audited } from '../support/audited.ts'
import { readNetworks, readScopes, requireBound } from '../support/credential-terms.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed, readCurrency, readTimezone } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { printOne, type JsonFlag } from '../support/print.ts'
import {
  isPasswordGiven,
  passwordFrom,
  shownPassword,
  withPassword,
  withTakeOver,
  type PasswordFlags,
} from '../support/secret-input.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { updateCompany } from '../../store/accounts/companies.ts'
import {
  insertCredential,
  passwordsOf,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import type { Writer } from '../../store/store.ts'
import type { CompanyTable, CredentialTable } from '../../store/tables/accounts.ts'

type Switches = Readonly<Partial<Record<SettingName, 'on' | 'off'>>>

interface Flags extends JsonFlag, PasswordFlags, Switches {
  readonly timezone?: string
  readonly currency?: string
  readonly newPassword?: boolean
  readonly keepOldPassword?: boolean
  readonly scopes?: string
  readonly allowFrom?: string
}

export function addCompanySetCommand(company: Command, world: World): void {
  const command = company
    .command('set <name>')
    .description('change settings or the password of a company')
    .option('--timezone <zone>', 'where its days begin')
    .option('--currency <code>', 'what its amounts are in')
    .option('--new-password', 'make a new password and show it once')
    .option('--keep-old-password', 'let the old one live beside the new one')
    .option('--scopes <list>', 'what the password may do')
    .option('--allow-from <networks>', 'where the password may be used from; "" for everywhere')
    .option('--json', 'print JSON')
    .action((name: string, flags: Flags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const company = await companyNamed(store, name)
        const { id } = company
        const password = await passwordAsked(world, flags, name)
        const made =
          password === null
            ? null
            : await newPassword(await minting(), password, {
                companyId: id,
                scopes: passwordScopes,
                allowFrom: null,
                expiresInDays: null,
              })
        const changed = await audited(store, world, {
          company,
          action: 'settings',
          act: async (writer) => {
            const after = changedCompany(await companyNamed(writer, name), flags)
            await updateCompany(writer, after)
            await changeCredentials(writer, after, made, flags, world)
            return after
          },
          about: () => ({ changed: Object.keys(flags).join(' ') }),
        })
        printOne(world, shownCompany(changed, password), flags)
      }),
    )
  for (const [name, setting] of Object.entries(settingNames))
    command.addOption(new Option(`--${name} <on|off>`, settingSays[setting]).choices(['on', 'off']))
  withTakeOver(withPassword(withSettings(command, databaseSettings)))
}

const settingSays: Readonly<Record<SettingName, string>> = {
  refusesZones: 'refuse every date that carries a zone or an offset',
  forbidsSecondRecord: 'refuse an insert where a record stands already',
  requiresFourEyes: 'whoever registered a transaction does not approve it',
  refusesQueryCredentials: 'refuse passwords and keys that stand in the address',
  requiresKnownSubjects: 'refuse transactions that name what the directory does not know',
  requiresFactorOfRegistrant: 'registrants sign in with a second factor',
  requiresFactorOfViewer: 'viewers sign in with a second factor',
  requiresFactorOfApprover: 'approvers sign in with a second factor',
  requiresFactorOfAuditor: 'auditors sign in with a second factor',
  requiresFactorOfAdmin: 'administrators sign in with a second factor',
}

async function passwordAsked(world: World, flags: Flags, name: string): Promise<Password | null> {
  if (flags.newPassword && (isPasswordGiven(flags) || flags.takeOver))
    throw new OperatorError('--new-password makes one itself.', exitCodes.usage)
  return flags.newPassword || isPasswordGiven(flags) || flags.takeOver
    ? passwordFrom(world, flags, [name])
    : null
}

function changedCompany(before: CompanyTable, flags: Flags): CompanyTable {
  const switched: Partial<CompanySettings> = Object.fromEntries(
    Object.values(settingNames).flatMap((name) =>
      flags[name] === undefined ? [] : [[name, flags[name] === 'on']],
    ),
  )
  return {
    ...before,
    timezone: flags.timezone === undefined ? before.timezone : readTimezone(flags.timezone),
    currency: flags.currency === undefined ? before.currency : readCurrency(flags.currency),
    settings: writeSettings({ ...parseSettings(before.settings), ...switched }),
  }
}

/** The passwords that live, and the one that is made; keys have terms of their own. */
async function changeCredentials(
  writer: Writer,
  company: CompanyTable,
  made: CredentialTable | null,
  flags: Flags,
  { clock }: World,
): Promise<void> {
  if (made === null && flags.scopes === undefined && flags.allowFrom === undefined) return
  const terms = (one: CredentialTable): Pick<CredentialTable, 'scopes' | 'addresses'> => ({
    scopes:
      flags.scopes === undefined ? one.scopes : readScopes(flags.scopes, 'password').join(' '),
    addresses: flags.allowFrom === undefined ? one.addresses : addresses(flags.allowFrom),
  })
  const live = await passwordsOf(writer, company.id)
  const revokedAt = made !== null && !flags.keepOldPassword ? clock() : null
  for (const one of live) {
    const changed = { ...one, ...terms(one), revokedAt }
    if (revokedAt === null) requireBoundRow(changed)
    await updateCredential(writer, changed)
  }
  if (made === null) return
  // The terms of a password outlive its letters.
  const old = live[0] ?? made
  const row = { ...made, ...terms(old) }
  requireBoundRow(row)
  await insertCredential(writer, row)
}

function requireBoundRow(row: CredentialTable): void {
  return requireBound(row.secretKind, addressesOf(row))
}

function addresses(allowFrom: string): string | null {
  const networks = readNetworks(allowFrom) ?? []
  return networks.length === 0 ? null : JSON.stringify(networks)
}

function shownCompany(company: CompanyTable, password: Password | null) {
  return {
    company: company.name,
    timezone: company.timezone,
    currency: company.currency,
    ...parseSettings(company.settings),
    ...(password === null ? {} : shownPassword(password)),
  }
}
