// `dagsverk user`: people who sign in, and their roles in companies.
import type { Command } from 'commander'
import { hashChosen } from '../../auth/passwords/password-hash.ts'
import { emailProblem } from '../../auth/passwords/password-rules.ts'
import { roles } from '../../auth/roles.ts'
import { audited, auditedOf } from '../support/audited.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { moment, printOne, printRows, type JsonFlag } from '../support/print.ts'
import {
  passwordFrom,
  shownPassword,
  withPassword,
  type PasswordFlags,
} from '../support/secret-input.ts'
import { addResetMfaCommand } from './user-factor.ts'
import { addForgetCommand } from './user-forget.ts'
import { addInviteCommand, addResetPasswordCommand } from './user-links.ts'
import { readRole } from '../support/user-role.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import type { Writer } from '../../store/store.ts'
import {
  disableUser,
  findUser,
  insertUser,
  listMembers,
  saveMembership,
} from '../../store/accounts/users.ts'

export function addUserCommands(program: Command, world: World): void {
  const user = program
    .command('user')
    .description('manage people who sign in')
    .addHelpText('afterAll', examples)
  addAdd(user, world)
  addInviteCommand(user, world)
  addResetPasswordCommand(user, world)
  addList(user, world)
  addDisable(user, world)
  addResetMfaCommand(user, world)
  addForgetCommand(user, world)
}

interface AddFlags extends JsonFlag, PasswordFlags {
  readonly company?: string
  readonly role?: string
  readonly departments?: string
  readonly operator?: boolean
}

function addAdd(user: Command, world: World): void {
  const command = user
    .command('add <email>')
    .description('add a person, or a role in another company')
    .option('--company <name>', 'the company')
    .option('--role <role>', roles.join(', '))
    .option('--departments <list>', 'departments of an approver (default: all)')
    .option('--operator', 'operator of the server, without access to company data')
    .option('--json', 'print JSON')
    .action((email: string, flags: AddFlags, called: Command) =>
      withStore(called, world, async (store) => {
        validateFlags(email, flags)
        const role = flags.role === undefined ? null : readRole(flags.role)
        const company =
          flags.company === undefined ? null : await companyNamed(store, flags.company)
        const known = await findUser(store, email)
        const password = known === undefined ? await passwordFrom(world, flags, [email]) : null
        const passwordHash =
          password === null ? '' : await hashChosen(password.text, world.hashCost)
        const add = async (writer: Writer): Promise<number> =>
          (await findUser(writer, email))?.id ??
          insertUser(
            writer,
            { email, passwordHash, isOperator: flags.operator ? 1 : 0 },
            world.clock(),
          )
        if (company === null || role === null) await store.inHouseTransaction(add)
        else
          await audited(store, world, {
            company,
            action: 'person-add',
            act: async (writer) => {
              const userId = await add(writer)
              const departments = parseDepartments(flags.departments)
              await saveMembership(writer, { companyId: company.id, userId, role, departments })
              return userId
            },
            about: (user) => ({ user, role }),
          })
        printOne(
          world,
          {
            email,
            company: company?.name ?? null,
            role: role ?? 'operator',
            ...(password === null ? {} : shownPassword(password)),
          },
          flags,
        )
        if (password?.kind === 'generated') world.tell('The password is shown only once.\n')
      }),
    )
  withPassword(withSettings(command, databaseSettings))
}

function addList(user: Command, world: World): void {
  const command = user
    .command('list')
    .description('list the people of a company')
    .requiredOption('--company <name>', 'the company')
    .option('--json', 'print JSON')
    .action((flags: JsonFlag & { company: string }, called: Command) =>
      withStore(called, world, async (store) => {
        const { id } = await companyNamed(store, flags.company)
        const members = await listMembers(store, id)
        printRows(
          world,
          members.map(({ email, role, departments, factorSince, createdAt, disabledAt }) => ({
            email,
            role,
            departments: departments === null ? 'all' : departments,
            factor: moment(factorSince),
            created: moment(createdAt),
            disabled: moment(disabledAt),
          })),
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

function addDisable(user: Command, world: World): void {
  const command = user
    .command('disable <email>')
    .description('block a person in all companies immediately')
    .action((email: string, _flags: unknown, called: Command) =>
      withStore(called, world, async (store) => {
        await auditedOf(store, world, email, {
          action: 'person-disable',
          act: (writer, { id }) => disableUser(writer, id, world.clock()),
        })
        world.tell(`${email} is disabled.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

function validateFlags(email: string, flags: AddFlags): void {
  if (emailProblem(email) !== null) throw usageError(`"${email}" is not an e-mail address.`)
  const isMember = flags.company !== undefined && flags.role !== undefined
  if (!isMember && !(flags.operator && flags.company === undefined && flags.role === undefined))
    throw usageError('Specify --company and --role, or only --operator.')
  if (flags.departments !== undefined && flags.role !== 'approver')
    throw usageError('--departments requires the role approver.')
}

function parseDepartments(list: string | undefined): string | null {
  return list === undefined ? null : JSON.stringify(list.split(',').map((id) => id.trim()))
}

function usageError(message: string) {
  return new OperatorError(message, exitCodes.usage)
}

const examples = `
Examples:
  dagsverk user add kari@fjord.example --company "Fjord AS" --role approver
  dagsverk user add ola@fjord.example --company "Fjord AS" --role approver --departments 10,20
  dagsverk user add drift@example.no --operator
  dagsverk user invite ola@fjord.example --company "Fjord AS" --role viewer --language nb
  dagsverk user reset-password kari@fjord.example
  dagsverk user list --company "Fjord AS"
  dagsverk user forget ola@fjord.example --dry-run
`
