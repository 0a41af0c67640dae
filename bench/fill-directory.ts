// Inserts the directory of every company into Dagsverk's own database.
import { callerOf } from '../src/auth/caller.ts'
import { department, employee, project, site } from '../src/model/directory.ts'
import type { Fields, Resource, Row } from '../src/engine/model/resource.ts'
import { findCompany } from '../src/store/accounts/companies.ts'
import { listCredentials } from '../src/store/accounts/credentials.ts'
import { insertRecords } from '../src/store/directory/directory-records.ts'
import { openStore } from '../src/store/open-store.ts'
import { directory, numbers } from './directory.ts'
import { companyName, type DatasetSize } from './rows.ts'

/** Gives every company its directory; `url` is the database's. */
export async function insertDirectory(url: string, size: DatasetSize): Promise<void> {
  const store = await openStore({ url, canCreate: false })
  try {
    for (const number of numbers(size.companies)) {
      const company = await findCompany(store, companyName(number))
      const [credential] = company === undefined ? [] : await listCredentials(store, { companyId: company.id })
      if (company === undefined || credential === undefined) throw new Error('no such company')
      await store.inTransaction(callerOf(company, credential, false).companyId, async (writer) => {
        await insertRecords(writer, department, whole(department, directory.departments))
        await insertRecords(writer, site, whole(site, directory.sites))
        await insertRecords(writer, project, whole(project, directory.projects))
        await insertRecords(writer, employee, whole(employee, directory.employees))
      })
    }
  } finally {
    await store.close()
  }
}

/** Missing fields are null. */
function whole<F extends Fields>(
  { fields }: Resource<F>,
  records: readonly Partial<Row<Resource<F>>>[],
): Row<Resource<F>>[] {
  const blank = Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
  const stamp = Date.UTC(2026, 0, 1) * 1000
  return records.map(
    (record) => ({ ...blank, changedAt: stamp, createdAt: stamp, ...record }) as unknown as Row<Resource<F>>,
  )
}
