// `dagsverk user forget`: deletes the account and anonymizes the employee records of a person.
import type { Command } from '@commander-js/extra-typings'
import { companyIdForOperator } from '../../auth/caller.ts'
import { addPrintAction } from '../support/store-action.ts'
import { getCompany } from '../support/resolve-company.ts'
import type { Runtime } from '../../server/environment.ts'
import { deleteRecord } from '../../directory/delete.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { employee } from '../../model/directory.ts'
import { findCompanyById } from '../../store/accounts/companies.ts'
import { findEmployeesByEmail } from '../../store/directory/directory-records.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable, UserTable } from '../../store/tables/accounts.ts'
import { deleteInvitationsTo } from '../../store/accounts/invitations.ts'
import { listCompanyIds, findUser, eraseUser } from '../../store/accounts/users.ts'

export function addForgetCommand(user: Command, runtime: Runtime): void {
  const command = user
    .command('forget <email>')
    .description('delete a person: the account, and the employee records, which are deleted or anonymized')
    .option('--company <name>', 'only in this company (default: all companies of the account)')
    .option('--dry-run', 'report without changing anything')
  addPrintAction(command, runtime, async ({ store, flags }, email) => {
    const account = (await findUser(store, email)) ?? null
    const companies = await resolveCompanies(store, account, flags.company)
    let employees = 0
    for (const company of companies)
      employees += await store.inTransaction(companyIdForOperator(company), async (transaction) => {
        const keys = await findEmployeesByEmail(transaction, email)
        for (const key of flags.dryRun ? [] : keys)
          await deleteRecord(transaction, { schema: serviceSchema, resource: employee, key }, { now: runtime.clock() })
        return keys.length
      })
    const deletesAccount = account !== null && flags.company === undefined
    if (!deletesAccount && employees === 0)
      throw new OperatorError(`There is no account or employee with the address ${email}.`)
    if (deletesAccount && !flags.dryRun)
      await store.inSystemTransaction(async (writer) => {
        await eraseUser(writer, account.id, runtime.clock())
        await deleteInvitationsTo(writer, email)
      })
    return { account: deletesAccount, employees, forgotten: !flags.dryRun }
  })
}

async function resolveCompanies(store: Store, account: UserTable | null, company: string | undefined) {
  if (company !== undefined) return [await getCompany(store, company)]
  const companies: CompanyTable[] = []
  for (const id of account === null ? [] : await listCompanyIds(store, account.id)) {
    const found = await findCompanyById(store, { id })
    if (found !== undefined) companies.push(found)
  }
  return companies
}
