// Directory records from the few fields that a test is about, all others null.
import { department, employee, project, site } from '../../src/model/directory.ts'
import type { Department, Employee, Project, Site } from '../../src/model/directory.ts'
import type { CompanyId, Fields, Resource, Row } from '../../src/engine/model/resource.ts'
import { insertRecords } from '../../src/store/directory/directory-records.ts'
import type { Transaction } from '../../src/store/store.ts'
import type { TestCompany, TestServer } from './server.ts'

export interface Directory {
  readonly departments?: readonly Partial<Department>[]
  readonly sites?: readonly Partial<Site>[]
  readonly projects?: readonly Partial<Project>[]
  readonly employees?: readonly Partial<Employee>[]
}

export function fillDirectory(
  server: Pick<TestServer, 'store'>,
  company: Pick<TestCompany, 'id'>,
  { departments = [], sites = [], projects = [], employees = [] }: Directory,
): Promise<void> {
  return server.store.inTransaction(company.id as CompanyId, async (transaction) => {
    await insert(transaction, department, departments)
    await insert(transaction, site, sites)
    await insert(transaction, project, projects)
    await insert(transaction, employee, employees)
  })
}

async function insert<F extends Fields>(
  transaction: Transaction,
  resource: Resource<F>,
  records: readonly Partial<Row<Resource<F>>>[],
): Promise<void> {
  const stamps = { changedAt: 1_700_000_000_000_000, createdAt: 1_700_000_000_000_000 }
  const blank = Object.fromEntries(Object.keys(resource.fields).map((name) => [name, null]))
  const rows = records.map((one) => ({ ...blank, ...stamps, ...one }))
  await insertRecords(transaction, resource, rows)
}
