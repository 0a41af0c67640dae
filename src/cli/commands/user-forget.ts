// `dagsverk user forget`: nothing is left that tells who a person was: the account, and the records as an employee.
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
    .description('remove a person: the account, and what the directory says of the employee')
    .option('--company <name>', 'in this company alone (default: all that the account belongs to)')
    .option('--dry-run', 'say what would be, and change nothing')
    .option('--json', 'print JSON')
    .action((email: string, flags: Flags, called: Command) =>
      withStore(called, world, async (store) => {
        const account = (await findUser(store, email)) ?? null
        const companies = await companiesMeant(store, account, flags)
        let employees = 0
        for (const company of companies)
          employees += await forgetEmployees(store, { company, email, flags, now: world.clock() })
        const isLeaving = account !== null && flags.company === undefined
        if (!isLeaving && employees === 0) throw new OperatorError(`Nobody is known as ${email}.`)
        if (isLeaving && !flags.dryRun)
          await store.inHouseTransaction(async (writer) => {
            await forgetUser(writer, account.id, world.clock())
            await forgetInvitations(writer, email)
          })
        printOne(world, { account: isLeaving, employees, forgotten: !flags.dryRun }, flags)
      }),
    )
  withSettings(command, databaseSettings)
}

async function companiesMeant(
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

interface Forgetting {
  readonly company: CompanyTable
  readonly email: string
  readonly flags: Flags
  readonly now: number
}

/** How many there are; each goes as by `DELETE` (ADR 0036). */
function forgetEmployees(
  store: Store,
  { company, email, flags, now }: Forgetting,
): Promise<number> {
  return store.inTransaction(openedByOperator(company), async (transaction) => {
    const keys = await employeesWithEmail(transaction, email)
    if (flags.dryRun) return keys.length
    for (const key of keys)
      await removeRecord(transaction, { schema: dagsverk, resource: employee, key }, { now })
    return keys.length
  })
}
