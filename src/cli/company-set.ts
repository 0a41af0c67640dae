// `dagsverk company set`: changes a company's settings or its password, effective with the next request.
import { Option, type Command } from 'commander'
import { parseSettings, settingNames, writeSettings } from '#auth/company-settings.ts'
import { passwordScopes } from '#auth/scopes.ts'
import { databaseSettings, withSettings } from '#cli/configured.ts'
import { newPassword, readNetworks, readScopes } from '#cli/new-credential.ts'
import { companyNamed, readCurrency, readTimezone } from '#cli/one-company.ts'
import { withStore } from '#cli/opened.ts'
import { printOne, type JsonFlag } from '#cli/print.ts'
import {
  isPasswordGiven,
  passwordFrom,
  withPassword,
  type Password,
  type PasswordFlags,
} from '#cli/secret-input.ts'
import type { World } from '#cli/world.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import {
  insertCredential,
  listCredentials,
  updateCompany,
  updateCredential,
} from '#store/accounts.ts'
import type { Writer } from '#store/store.ts'
import type { CompanyTable, CredentialTable } from '#store/tables.ts'

interface Flags extends JsonFlag, PasswordFlags {
  readonly timezone?: string
  readonly currency?: string
  readonly refusesZones?: 'on' | 'off'
  readonly forbidsSecondRecord?: 'on' | 'off'
  readonly newPassword?: boolean
  readonly keepOldPassword?: boolean
  readonly scopes?: string
  readonly allowFrom?: string
}

export const addCompanySetCommand = (company: Command, world: World): void => {
  const command = company
    .command('set <name>')
    .description('change settings or the password of a company')
    .option('--timezone <zone>', 'where its days begin')
    .option('--currency <code>', 'what its amounts are in')
    .addOption(onOrOff('refuses-zones', 'refuse every date that carries a zone or an offset'))
    .addOption(onOrOff('forbids-second-record', 'refuse an insert where a record stands already'))
    .option('--new-password', 'make a new password and show it once')
    .option('--keep-old-password', 'let the old one live beside the new one')
    .option('--scopes <list>', 'what the password may do')
    .option('--allow-from <networks>', 'where the password may be used from; "" for everywhere')
    .option('--json', 'print JSON')
    .action((name: string, flags: Flags, called: Command) =>
      withStore(called, world, async (store, masterKey) => {
        const { id } = await companyNamed(store, name)
        const password = await passwordAsked(world, flags, name)
        const made =
          password === null
            ? null
            : await newPassword(world, await masterKey(), password, {
                companyId: id,
                scopes: passwordScopes,
                allowFrom: null,
                expiresInDays: null,
              })
        const changed = await store.inHouseTransaction(async (writer) => {
          const before = await companyNamed(writer, name)
          const after = changedCompany(before, flags)
          await updateCompany(writer, after)
          await changeCredentials(writer, after, made, flags, world)
          return after
        })
        printOne(world, shownCompany(changed, password), flags)
      }),
    )
  withPassword(withSettings(command, databaseSettings))
}

const onOrOff = (name: string, says: string): Option => {
  if (!(name in settingNames)) throw new Error(`there is no company setting ${name}`)
  return new Option(`--${name} <on|off>`, says).choices(['on', 'off'])
}

const passwordAsked = async (
  world: World,
  flags: Flags,
  name: string,
): Promise<Password | null> => {
  if (flags.newPassword && isPasswordGiven(flags))
    throw new OperatorError('--new-password makes one itself.', exitCodes.usage)
  return flags.newPassword || isPasswordGiven(flags) ? passwordFrom(world, flags, [name]) : null
}

const changedCompany = (before: CompanyTable, flags: Flags): CompanyTable => {
  const settings = parseSettings(before.settings)
  const isOn = (said: 'on' | 'off' | undefined, was: boolean) =>
    said === undefined ? was : said === 'on'
  return {
    ...before,
    timezone: flags.timezone === undefined ? before.timezone : readTimezone(flags.timezone),
    currency: flags.currency === undefined ? before.currency : readCurrency(flags.currency),
    settings: writeSettings({
      refusesZones: isOn(flags.refusesZones, settings.refusesZones),
      forbidsSecondRecord: isOn(flags.forbidsSecondRecord, settings.forbidsSecondRecord),
    }),
  }
}

/** Every credential is written, changed or not: its new version makes running servers read the company anew. */
const changeCredentials = async (
  writer: Writer,
  company: CompanyTable,
  made: CredentialTable | null,
  flags: Flags,
  { clock }: World,
): Promise<void> => {
  const terms = (one: CredentialTable): CredentialTable => ({
    ...one,
    scopes:
      flags.scopes === undefined ? one.scopes : readScopes(flags.scopes, 'password').join(' '),
    addresses: flags.allowFrom === undefined ? one.addresses : addresses(flags.allowFrom),
  })
  const live = (await listCredentials(writer, company.id)).filter((one) => one.revokedAt === null)
  for (const one of live) {
    const isReplaced = one.kind === 'password' && made !== null && !flags.keepOldPassword
    const revokedAt = isReplaced ? clock() : null
    await updateCredential(writer, {
      ...(one.kind === 'password' ? terms(one) : one),
      revokedAt,
    })
  }
  if (made === null) return
  // The terms of a password outlive its letters.
  const old = live.find((one) => one.kind === 'password') ?? made
  const { scopes, addresses: from } = terms(old)
  await insertCredential(writer, { ...made, scopes, addresses: from })
}

const addresses = (allowFrom: string): string | null => {
  const networks = readNetworks(allowFrom) ?? []
  return networks.length === 0 ? null : JSON.stringify(networks)
}

const shownCompany = (company: CompanyTable, password: Password | null) => ({
  company: company.name,
  timezone: company.timezone,
  currency: company.currency,
  ...parseSettings(company.settings),
  ...(password?.isGenerated ? { password: password.text } : {}),
})
