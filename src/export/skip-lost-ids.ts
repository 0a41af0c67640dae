// Skips the ids that a failover may have lost.
import { companyIdForOperator } from '../auth/caller.ts'
import { listCompanies } from '../store/accounts/companies.ts'
import type { Store } from '../store/store.ts'

/** One transaction for each company. To run it again skips more of them. */
export async function skipLostIds(store: Store): Promise<void> {
  for (const company of await listCompanies(store))
    await store.inTransaction(companyIdForOperator(company), ({ sequences }) => sequences.skipLostIds(), {
      isReplay: true,
    })
}
