// Companies: the tenants of the server.
import { insertInto, insertReturning, nextVersion, selectWhere, updateWhere } from '../row-statements.ts'
import { command, commandReturning, rowQuery, rowsQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { runForEach } from '../../lib/run-for-each.ts'
import { insertDestination } from '../export/destinations.ts'
import { deleteSessionsOfCompany } from './sessions.ts'
import { saveSequences, lockSequences } from '../sequence-rows.ts'
import type { Awaitable, Reader, Transaction, Writer } from '../store.ts'
import type { CompanyTable } from '../tables/accounts.ts'

export type NewCompany = Pick<CompanyTable, 'name' | 'timezone' | 'currency' | 'settings'>

/** The name as it is compared and looked up: trimmed, lower case, Unicode NFC. */
export function companyKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

/**
 * Inserts a company with its sequences and its default destination, and returns its id. Throws `AlreadyExists` where
 * another company has the name, also one that another server inserts at the same time.
 */
export async function insertCompany(writer: Writer, company: NewCompany, now: number): Promise<number> {
  const row = await insertCompanyRow(writer, { ...company, nameKey: companyKey(company.name), createdAt: now })
  if (row === undefined) throw new ApiError('AlreadyExists', { target: 'name', params: { what: company.name } })
  await insertSequences(writer, { companyId: row.id })
  await insertDestination(writer, { companyId: row.id, name: 'default', now })
  return row.id
}

/** Runs the first operation of a company that this transaction has inserted and nobody else can see yet. */
export async function inNewCompanyTransaction<T>(
  writer: Writer,
  companyId: CompanyId,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const transaction: Transaction = { ...writer, companyId, sequences: await lockSequences(writer, companyId) }
  const result = await work(transaction)
  await saveSequences(writer, transaction.sequences)
  return result
}

export function findCompany(reader: Reader, name: string): Awaitable<CompanyTable | undefined> {
  return findByKey(reader, { nameKey: companyKey(name) })
}

export const findCompanyById = rowQuery(selectWhere('company', ['id']))

export const listCompanies = rowsQuery<NoValues, CompanyTable>(() => sql`select * from company order by "nameKey"`)

/** Calls `run` for each company, one after another, and continues after a failure. Throws an `AggregateError` of all failures. */
export async function forEachCompany(reader: Reader, run: (company: CompanyTable) => Promise<void>): Promise<void> {
  await runForEach(await listCompanies(reader), ({ id }) => `company ${id}`, run)
}

/** Updates a company and increments the version of its credentials, so that every cache reads the company again. */
export async function updateCompany(writer: Writer, company: CompanyTable): Promise<void> {
  await updateCompanyRow(writer, company)
  await incrementVersions(writer, { companyId: company.id })
}

/** Closes a company, and ends its sessions; opening it again, with null, revives none. */
export async function setCompanyDisabled(
  writer: Writer,
  company: CompanyTable,
  disabledAt: CompanyTable['disabledAt'],
): Promise<void> {
  await updateCompany(writer, { ...company, disabledAt })
  // Also when it is opened, for a sign-in that began before it was closed may have ended after it.
  if (company.disabledAt !== null || disabledAt !== null)
    await deleteSessionsOfCompany(writer, { companyId: company.id })
}

const insertCompanyRow = commandReturning(
  insertReturning('company', 'name', 'nameKey', 'timezone', 'currency', 'settings', 'createdAt'),
)

const insertSequences = command(insertInto('sequence', 'companyId'))

const findByKey = rowQuery(selectWhere('company', ['nameKey']))

const updateCompanyRow = command(updateWhere('company', ['id'], ['timezone', 'currency', 'settings', 'disabledAt']))

const incrementVersions = command(updateWhere('credential', ['companyId'], [], nextVersion))
