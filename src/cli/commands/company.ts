// `dagsverk company`: companies and their passwords.
import type { Command } from '@commander-js/extra-typings'
import { parseSettings } from '../../auth/companies/company-settings.ts'
import { createPasswordRow } from '../../auth/tokens/credential-factory.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { addPrintAction, addStoreAction } from '../support/store-action.ts'
import { runAudited } from '../support/audited.ts'
import { addCompanySetCommand } from './company-set.ts'
import {
  parseNetworksFlag,
  parseScopesFlag,
  requireName,
  requireRestrictedNetworks,
} from '../support/credential-terms.ts'
import { getCompany, parseCurrency, parseTimezone } from '../support/resolve-company.ts'
import { formatTimestamp, printOne } from '../support/print.ts'
import { readPassword, printablePassword, withPasswordFlags, withLegacyPassword } from '../support/secret-input.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { findCompany, insertCompany, listCompanies, setCompanyDisabled } from '../../store/accounts/companies.ts'
import { insertCredential, listCredentials } from '../../store/accounts/credentials.ts'

export function addCompanyCommands(program: Command, runtime: Runtime): void {
  const company = program.command('company').description('manage companies').addHelpText('afterAll', examples)
  addAdd(company, runtime)
  addList(company, runtime)
  addShow(company, runtime)
  addCompanySetCommand(company, runtime)
  addDisable(company, runtime, 'disable')
  addDisable(company, runtime, 'enable')
}

function addAdd(company: Command, runtime: Runtime): void {
  const command = company
    .command('add <name>')
    .description('add a company; without a given password one is generated and printed once')
    .option('--timezone <zone>', 'time zone of the company', 'Europe/Oslo')
    .option('--currency <code>', 'currency of its amounts', 'NOK')
    .option('--scopes <list>', 'scopes of the password (default: all that a password can have)')
    .option('--allow-from <networks>', 'networks the password may be used from (default: any)')
    .option('--json', 'print JSON')
  const withPassword = withLegacyPassword(withPasswordFlags(command))
  addStoreAction(withPassword, runtime, async ({ store, flags, cryptoContext }, name) => {
    requireName(name)
    const row = {
      name: name.normalize('NFC'),
      timezone: parseTimezone(flags.timezone),
      currency: parseCurrency(flags.currency),
      settings: '{}',
    }
    const terms = {
      scopes: flags.scopes === undefined ? passwordScopes : parseScopesFlag(flags.scopes, 'password'),
      allowedNetworks: parseNetworksFlag(flags.allowFrom),
      expiresInDays: null,
    }
    const password = await readPassword(runtime, flags, [name])
    requireRestrictedNetworks(password.kind, terms.allowedNetworks)
    const credential = await createPasswordRow(await cryptoContext(), password, { ...terms, companyId: 0 })
    await store.inSystemTransaction(async (writer) => {
      if ((await findCompany(writer, row.name)) !== undefined)
        throw new OperatorError(`There is already a company "${name}".`)
      const companyId = await insertCompany(writer, row, runtime.clock())
      await insertCredential(writer, { ...credential, companyId })
    })
    printOne(runtime, { company: row.name, ...printablePassword(password) }, flags)
    if (password.kind === 'generated') runtime.printMessage('The password is shown only once.\n')
  })
}

function addList(company: Command, runtime: Runtime): void {
  const command = company.command('list').description('list the companies')
  addPrintAction(command, runtime, async ({ store }) => {
    const rows = await listCompanies(store)
    return rows.map(({ name, timezone, currency, createdAt, disabledAt }) => ({
      name,
      timezone,
      currency,
      created: formatTimestamp(createdAt),
      disabled: formatTimestamp(disabledAt),
    }))
  })
}

function addShow(company: Command, runtime: Runtime): void {
  const command = company
    .command('show <name>')
    .description('show a company with its settings and number of credentials')
  addPrintAction(command, runtime, async ({ store }, name) => {
    const found = await getCompany(store, name)
    const live = (await listCredentials(store, { companyId: found.id })).filter((one) => one.revokedAt === null)
    return {
      name: found.name,
      timezone: found.timezone,
      currency: found.currency,
      ...parseSettings(found.settings),
      passwords: live.filter((one) => one.kind === 'password').length,
      keys: live.filter((one) => one.kind === 'key').length,
      created: formatTimestamp(found.createdAt),
      disabled: formatTimestamp(found.disabledAt),
    }
  })
}

function addDisable(company: Command, runtime: Runtime, verb: 'disable' | 'enable'): void {
  const command = company
    .command(`${verb} <name>`)
    .description(
      verb === 'disable' ? 'block all access to a company immediately; keeps its data' : 'allow access again',
    )
  addStoreAction(command, runtime, async ({ store }, name) => {
    const disabledAt = verb === 'disable' ? runtime.clock() : null
    const company = await getCompany(store, name)
    await runAudited(store, runtime, {
      company,
      action: verb === 'disable' ? 'company-close' : 'company-open',
      execute: async (writer) => setCompanyDisabled(writer, await getCompany(writer, name), disabledAt),
      auditData: { company: company.id },
    })
    runtime.printMessage(`"${name}" is ${verb}d.\n`)
  })
}

const examples = `
Examples:
  dagsverk company add "Fjord AS"                          generate a password and print it once
  dagsverk company add TEST --password-file secret.txt     a chosen password of at least 15 characters
  dagsverk company add "Fjord AS" --password-file old.txt --legacy-password --allow-from 10.1.0.0/16
                                                           an existing weak password, only from these networks
  pass show fjord | dagsverk company add "Fjord AS" --password-stdin
  dagsverk company set "Fjord AS" --new-password           replace the password immediately
  dagsverk company list --json
`
