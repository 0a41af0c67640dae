// `dagsverk user forget`: deletes the account and anonymizes the employee records of a person.
import type { Command } from 'commander'
import { openedByOperator } from '../../auth/caller.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { printOne, type JsonFlag } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { removeRecord } from '../../directory/delete.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { dagsverk } from '../../model/service-schema.ts'
import { employee } from '../../model/directory.ts'
import { companyById } from '../../store/accounts/companies.ts'
import { employeesWithEmail } from '../../store/directory/directory-records.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable, UserTable } from '../../store/tables/accounts.ts'
import { forgetInvitations } from '../../store/accounts/invitations.ts'
import { companyIdsOf, findUser, forgetUser } from '../../store/accounts/users.ts'

interface Flags extends JsonFlag {
  readonly company?: string
  readonly dryRun?: boolean
}

export function addForgetCommand(user: Command, world: World): void {
  const command = user
    .command('forget <email>')
    .description(
      'delete a person: the account, and the employee records, which are deleted or anonymized',
    )
    .option('--company <name>', 'only in this company (default: all companies of the account)')
    .option('--dry-run', 'report without changing anything')
    .option('--json', 'print JSON')
    .action((email: string, flags: Flags, called: Command) =>
      withStore(called, world, async (store) => {
        const account = (await findUser(store, email)) ?? null
        const companies = await resolveCompanies(store, account, flags)
        let employees = 0
        for (const company of companies)
          employees += await deleteEmployees(store, { company, email, flags, now: world.clock() })
        const deletesAccount = account !== null && flags.company === undefined
        if (!deletesAccount && employees === 0)
          throw new OperatorError(`There is no account or employee with the address ${email}.`)
        if (deletesAccount && !flags.dryRun)
          await store.inHouseTransaction(async (writer) => {
            await forgetUser(writer, account.id, world.clock())
            await forgetInvitations(writer, email)
          })
        printOne(world, { account: deletesAccount, employees, forgotten: !flags.dryRun }, flags)
      }),
    )
  withSettings(command, databaseSettings)
}

async function resolveCompanies(
  store: Store,
  account: UserTable | null,
  { company }: Flags,
): Promise<CompanyTable[]> {
  if (company !== undefined) return [await companyNamed(store, company)]
  const companies: CompanyTable[] = []
  for (const id of account === null ? [] : await companyIdsOf(store, account.id)) {
    const found = await companyById(store, id)
    if (found !== undefined) companies.push(found)
  }
  return companies
}

interface DeleteEmployees {
  readonly company: CompanyTable
  readonly email: string
  readonly flags: Flags
  readonly now: number
}

/** Deletes or anonymizes each employee like `DELETE` (ADR 0036); returns their number. */
function deleteEmployees(
  store: Store,
  { company, email, flags, now }: DeleteEmployees,
): Promise<number> {
  return store.inTransaction(openedByOperator(company), async (transaction) => {
    const keys = await employeesWithEmail(transaction, email)
    if (flags.dryRun) return keys.length
    for (const key of keys)
      await removeRecord(transaction, { schema: dagsverk, resource: employee, key }, { now })
    return keys.length
  })
}
