// `dagsverk user`: people who sign in, and their roles in companies.
import type { Command } from '@commander-js/extra-typings'
import { membershipRow } from '../../auth/companies/company-people.ts'
import { hashPassword } from '../../auth/passwords/password-hash.ts'
import { roles } from '../../auth/roles.ts'
import { addPrintAction, addStoreAction } from '../support/store-action.ts'
import { runAudited, runAuditedForUser } from '../support/audited.ts'
import { getCompany } from '../support/resolve-company.ts'
import { formatTimestamp, printOne } from '../support/print.ts'
import { readPassword, printablePassword, withPasswordFlags } from '../support/secret-input.ts'
import { addForgetCommand } from './user-forget.ts'
import { addInviteCommand, addResetPasswordCommand } from './user-links.ts'
import { parseDepartments, parseRole, requireEmail } from '../support/user-arguments.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import type { Writer } from '../../store/store.ts'
import {
  disableUser,
  findUser,
  incrementUserVersion,
  insertUser,
  listMembers,
  saveMembership,
} from '../../store/accounts/users.ts'
import { deletePasskeys, listPasskeys } from '../../store/accounts/passkeys.ts'
import { deleteFactor, findFactor } from '../../store/accounts/second-factors.ts'

export function addUserCommands(program: Command, runtime: Runtime): void {
  const user = program.command('user').description('manage people who sign in').addHelpText('afterAll', examples)
  addAdd(user, runtime)
  addInviteCommand(user, runtime)
  addResetPasswordCommand(user, runtime)
  addList(user, runtime)
  addDisable(user, runtime)
  addResetMfa(user, runtime)
  addForgetCommand(user, runtime)
}

function addAdd(user: Command, runtime: Runtime): void {
  const command = user
    .command('add <email>')
    .description('add a person, or a role in another company')
    .option('--company <name>', 'the company')
    .option('--role <role>', roles.join(', '))
    .option('--departments <list>', 'departments of an approver (default: all)')
    .option('--operator', 'operator of the server, without access to company data')
    .option('--json', 'print JSON')
  addStoreAction(withPasswordFlags(command), runtime, async ({ store, flags }, email) => {
    requireEmail(email)
    const isMember = flags.company !== undefined && flags.role !== undefined
    if (!isMember && !(flags.operator && flags.company === undefined && flags.role === undefined))
      throw usageError('Specify --company and --role, or only --operator.')
    if (flags.departments !== undefined && flags.role !== 'approver')
      throw usageError('--departments requires the role approver.')
    const role = flags.role === undefined ? null : parseRole(flags.role)
    const company = flags.company === undefined ? null : await getCompany(store, flags.company)
    const known = await findUser(store, email)
    const password = known === undefined ? await readPassword(runtime, flags, [email]) : null
    const passwordHash = password === null ? '' : await hashPassword(password.text, runtime.hashCost)
    const add = async (writer: Writer): Promise<number> =>
      (await findUser(writer, email))?.id ??
      insertUser(writer, { email, passwordHash, isOperator: flags.operator ? 1 : 0 }, runtime.clock())
    if (company === null || role === null) await store.inSystemTransaction(add)
    else
      await runAudited(store, runtime, {
        company,
        action: 'person-add',
        execute: async (writer) => {
          const userId = await add(writer)
          const membership = { role, departments: parseDepartments(flags.departments) }
          await saveMembership(writer, membershipRow(company.id, userId, membership))
          return userId
        },
        auditData: (user) => ({ user, role }),
      })
    const shown = {
      email,
      company: company?.name ?? null,
      role: role ?? 'operator',
      ...(password === null ? {} : printablePassword(password)),
    }
    printOne(runtime, shown, flags)
    if (password?.kind === 'generated') runtime.printMessage('The password is shown only once.\n')
  })
}

function addList(user: Command, runtime: Runtime): void {
  const command = user
    .command('list')
    .description('list the people of a company')
    .requiredOption('--company <name>', 'the company')
  addPrintAction(command, runtime, async ({ store, flags }) => {
    const { id } = await getCompany(store, flags.company)
    const members = await listMembers(store, { companyId: id })
    return members.map(({ email, role, departments, factorSince, createdAt, disabledAt }) => ({
      email,
      role,
      departments: departments === null ? 'all' : departments,
      factor: formatTimestamp(factorSince),
      created: formatTimestamp(createdAt),
      disabled: formatTimestamp(disabledAt),
    }))
  })
}

function addDisable(user: Command, runtime: Runtime): void {
  const command = user.command('disable <email>').description('block a person in all companies immediately')
  addStoreAction(command, runtime, async ({ store }, email) => {
    await runAuditedForUser(store, runtime, {
      email,
      action: 'person-disable',
      execute: (writer, { id }) => disableUser(writer, id, runtime.clock()),
    })
    runtime.printMessage(`${email} is disabled.\n`)
  })
}

/** For people who lost both phone and recovery codes. */
function addResetMfa(user: Command, runtime: Runtime): void {
  const command = user
    .command('reset-mfa <email>')
    .description('remove the second factor and passkeys of a person and end their sessions')
  addStoreAction(command, runtime, async ({ store }, email) => {
    await runAuditedForUser(store, runtime, {
      email,
      action: 'factor-off',
      execute: async (writer, { id }) => {
        const passkeys = await listPasskeys(writer, { userId: id })
        if ((await findFactor(writer, { userId: id })) === undefined && passkeys.length === 0)
          throw new OperatorError(`${email} has no second factor.`)
        await deleteFactor(writer, id)
        await deletePasskeys(writer, { userId: id })
        await incrementUserVersion(writer, { id })
      },
    })
    runtime.printMessage(`${email} can now sign in with the password only.\n`)
  })
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
