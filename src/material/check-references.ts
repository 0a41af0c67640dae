// Reference check: transactions may only name existing directory records, if the company requires it.
import { Fault, type Detail } from '../errors/catalog.ts'
import type { Deed } from './action-context.ts'
import { materialTransaction } from '../model/transaction.ts'
import type { StoredContent } from '../store/material/materials.ts'
import { knownSubjects, type Subject } from '../store/directory/references.ts'
import type { Transaction } from '../store/store.ts'

/** The unknown references of each content, in order; none when the company does not require the check. */
export async function strangersIn(
  transaction: Transaction,
  contents: readonly { readonly content: StoredContent; readonly place: string }[],
  { settings }: Deed,
): Promise<readonly (readonly Detail[])[]> {
  if (!settings.requiresKnownSubjects) return contents.map(() => [])
  const known = await knownSubjects(
    transaction,
    contents.map(({ content }) => content),
  )
  return contents.map(({ content, place }) =>
    columns.flatMap((column) => {
      const value = content[column]
      if (value === null || known[column].has(value)) return []
      const field = materialTransaction.fields[column].wire
      return new Fault('ReferenceNotFound', { target: field, says: { field, value } }).detail(place)
    }),
  )
}

const columns: readonly Subject[] = ['employeeId', 'departmentId', 'projectId', 'siteId']
