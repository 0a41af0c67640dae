// `dagsverk company`: the companies whose data is kept, and their passwords.
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
  withTakeOver,
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
    .description('the companies whose data is kept')
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
    .description('add a company with a password; unless given, one is made and shown once')
    .option('--timezone <zone>', 'where its days begin', 'Europe/Oslo')
    .option('--currency <code>', 'what its amounts are in', 'NOK')
    .option('--scopes <list>', 'what the password may do (default: all that a password may)')
    .option('--allow-from <networks>', 'where the password may be used from (default: everywhere)')
    .option('--json', 'print JSON')
    .action((name: string, flags: AddFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const nameProblem = companyNameProblem(name)
        if (nameProblem !== null)
          throw new OperatorError(`The name is not taken: ${inWords(nameProblem, 'en')}.`)
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
            throw new OperatorError(`There is a company "${name}" already.`)
          const companyId = await insertCompany(writer, row, world.clock())
          await insertCredential(writer, { ...credential, companyId })
        })
        printOne(world, { company: row.name, ...shownPassword(password) }, flags)
        if (password.kind === 'generated') world.tell('The password is shown this once.\n')
      }),
    )
  withTakeOver(withPassword(withSettings(command, databaseSettings)))
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
    .description('show a company, its settings, and how many may come in')
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
      verb === 'disable' ? 'shut a company out, at once; its data stays' : 'let it in again',
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
  dagsverk company add "Fjord AS"                          a password is made, and shown once
  dagsverk company add TEST --password-file secret.txt     a chosen one, of 15 characters or more
  dagsverk company add "Fjord AS" --password-file old.txt --take-over --allow-from 10.1.0.0/16
                                                           an old short one, good from there alone
  pass show fjord | dagsverk company add "Fjord AS" --password-stdin
  dagsverk company set "Fjord AS" --new-password           another password, at once
  dagsverk company list --json
`
