// `dagsverk company`: companies and their passwords.
import type { Command } from 'commander'
import { parseSettings } from '../../auth/companies/company-settings.ts'
import { newPassword } from '../../auth/tokens/credential-factory.ts'
import { companyNameProblem } from '../../auth/passwords/password-rules.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { audited } from '../support/audited.ts'
import { addCompanySetCommand } from './company-set.ts'
import { readNetworks, readScopes, requireBound } from '../support/credential-terms.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed, readCurrency, readTimezone } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { moment, printOne, printRows, type JsonFlag } from '../support/print.ts'
import {
  passwordFrom,
  shownPassword,
  withPassword,
  withLegacyPassword,
  type PasswordFlags,
} from '../support/secret-input.ts'
import type { World } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { inWords } from '../../errors/messages.ts'
import {
  findCompany,
  insertCompany,
  listCompanies,
  updateCompany,
} from '../../store/accounts/companies.ts'
import { insertCredential, listCredentials } from '../../store/accounts/credentials.ts'

export function addCompanyCommands(program: Command, world: World): void {
  const company = program
    .command('company')
    .description('manage companies')
    .addHelpText('afterAll', examples)
  addAdd(company, world)
  addList(company, world)
  addShow(company, world)
  addCompanySetCommand(company, world)
  addDisable(company, world, 'disable')
  addDisable(company, world, 'enable')
}

interface AddFlags extends JsonFlag, PasswordFlags {
  readonly timezone: string
  readonly currency: string
  readonly scopes?: string
  readonly allowFrom?: string
}

function addAdd(company: Command, world: World): void {
  const command = company
    .command('add <name>')
    .description('add a company; without a given password one is generated and printed once')
    .option('--timezone <zone>', 'time zone of the company', 'Europe/Oslo')
    .option('--currency <code>', 'currency of its amounts', 'NOK')
    .option('--scopes <list>', 'scopes of the password (default: all that a password can have)')
    .option('--allow-from <networks>', 'networks the password may be used from (default: any)')
    .option('--json', 'print JSON')
    .action((name: string, flags: AddFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const nameProblem = companyNameProblem(name)
        if (nameProblem !== null)
          throw new OperatorError(`The name is rejected: ${inWords(nameProblem, 'en')}.`)
        const row = {
          name: name.normalize('NFC'),
          timezone: readTimezone(flags.timezone),
          currency: readCurrency(flags.currency),
          settings: '{}',
        }
        const terms = {
          scopes:
            flags.scopes === undefined ? passwordScopes : readScopes(flags.scopes, 'password'),
          allowFrom: readNetworks(flags.allowFrom),
          expiresInDays: null,
        }
        const password = await passwordFrom(world, flags, [name])
        requireBound(password.kind, terms.allowFrom)
        const credential = await newPassword(await minting(), password, { ...terms, companyId: 0 })
        await store.inHouseTransaction(async (writer) => {
          if ((await findCompany(writer, row.name)) !== undefined)
            throw new OperatorError(`There is already a company "${name}".`)
          const companyId = await insertCompany(writer, row, world.clock())
          await insertCredential(writer, { ...credential, companyId })
        })
        printOne(world, { company: row.name, ...shownPassword(password) }, flags)
        if (password.kind === 'generated') world.tell('The password is shown only once.\n')
      }),
    )
  withLegacyPassword(withPassword(withSettings(command, databaseSettings)))
}

function addList(company: Command, world: World): void {
  const command = company
    .command('list')
    .description('list the companies')
    .option('--json', 'print JSON')
    .action((flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        const rows = await listCompanies(store)
        printRows(
          world,
          rows.map(({ name, timezone, currency, createdAt, disabledAt }) => ({
            name,
            timezone,
            currency,
            created: moment(createdAt),
            disabled: moment(disabledAt),
          })),
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

function addShow(company: Command, world: World): void {
  const command = company
    .command('show <name>')
    .description('show a company with its settings and number of credentials')
    .option('--json', 'print JSON')
    .action((name: string, flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        const found = await companyNamed(store, name)
        const live = (await listCredentials(store, found.id)).filter(
          (one) => one.revokedAt === null,
        )
        printOne(
          world,
          {
            name: found.name,
            timezone: found.timezone,
            currency: found.currency,
            ...parseSettings(found.settings),
            passwords: live.filter((one) => one.kind === 'password').length,
            keys: live.filter((one) => one.kind === 'key').length,
            created: moment(found.createdAt),
            disabled: moment(found.disabledAt),
          },
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

function addDisable(company: Command, world: World, verb: 'disable' | 'enable'): void {
  const command = company
    .command(`${verb} <name>`)
    .description(
      verb === 'disable'
        ? 'block all access to a company immediately; keeps its data'
        : 'allow access again',
    )
    .action((name: string, _flags: unknown, called: Command) =>
      withStore(called, world, async (store) => {
        const disabledAt = verb === 'disable' ? world.clock() : null
        const company = await companyNamed(store, name)
        await audited(store, world, {
          company,
          action: verb === 'disable' ? 'company-close' : 'company-open',
          act: async (writer) =>
            updateCompany(writer, { ...(await companyNamed(writer, name)), disabledAt }),
          about: () => ({ company: company.id }),
        })
        world.tell(`"${name}" is ${verb}d.\n`)
      }),
    )
  withSettings(command, databaseSettings)
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
