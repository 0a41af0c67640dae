// Companies: the tenants of the server.
import { selectWhere, updateWhere } from '../row-statements.ts'
import { rowQuery, rowsQuery, type NoValues } from '../queries.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { saveSequences, lockSequences } from '../sequence-rows.ts'
import { statement } from '../statement.ts'
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
  const row = await writer.first(insertCompanyStatement, { ...company, nameKey: companyKey(company.name), now })
  if (row === undefined) throw new ApiError('AlreadyExists', { target: 'name', params: { what: company.name } })
  await writer.run(insertSequencesStatement, { companyId: row.id })
  await writer.run(insertDestinationStatement, { companyId: row.id, now })
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
  return reader.first(findCompanyStatement, { nameKey: companyKey(name) })
}

export const findCompanyById = rowQuery(selectWhere('company', ['id']))

export const listCompanies = rowsQuery<NoValues, CompanyTable>(({ db }) =>
  db.selectFrom('company').selectAll().orderBy('nameKey'),
)

/** Updates a company and increments the version of its credentials, so that every cache reads the company again. */
export async function updateCompany(writer: Writer, company: CompanyTable): Promise<void> {
  await writer.run(updateCompanyStatement, { ...company })
  await writer.run(incrementVersionsStatement, { companyId: company.id })
}

const insertCompanyStatement = statement<{ id: number }>(({ db, values, value }) =>
  db
    .insertInto('company')
    .values({ ...values('name', 'nameKey', 'timezone', 'currency', 'settings'), createdAt: value('now') })
    .onConflict((conflict) => conflict.column('nameKey').doNothing())
    .returning('id'),
)

const insertSequencesStatement = statement(({ db, value }) =>
  db.insertInto('sequence').values({ companyId: value('companyId') }),
)

/** The destination that lines go to until others are added. */
const insertDestinationStatement = statement(({ db, value }) =>
  db
    .insertInto('destination')
    .values({
      companyId: value('companyId'),
      id: 1,
      name: 'default',
      corrections: 'block',
      isExclusive: 0,
      lockDate: null,
      exportedFields: null,
      openClaimsMax: 1,
      failuresMax: 5,
      retrievedThrough: 0,
      fencingToken: 0,
      createdAt: value('now'),
    }),
)

const findCompanyStatement = statement<CompanyTable>(selectWhere('company', ['nameKey']))

const updateCompanyStatement = statement(
  updateWhere('company', ['id'], ['timezone', 'currency', 'settings', 'disabledAt']),
)

const incrementVersionsStatement = statement(({ db, value }) =>
  db
    .updateTable('credential')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('companyId', '=', value('companyId')),
)
