// Reference check: transactions may only name existing directory records, if the company requires it.
import { ApiError, type ErrorDetail } from '../errors/api-error.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { materialTransaction } from '../model/transaction.ts'
import type { StoredContent } from '../store/material/materials.ts'
import { findKnownReferences, type ReferenceField } from '../store/directory/references.ts'
import type { Transaction } from '../store/store.ts'

/** The unknown references of each content, in order; none when the company does not require the check. */
export async function findUnknownReferences(
  transaction: Transaction,
  contents: readonly { readonly content: StoredContent; readonly location: string }[],
  { settings }: WriteContext,
): Promise<readonly (readonly ErrorDetail[])[]> {
  if (!settings.requiresKnownSubjects) return contents.map(() => [])
  const known = await findKnownReferences(
    transaction,
    contents.map(({ content }) => content),
  )
  return contents.map(({ content, location }) =>
    columns.flatMap((column) => {
      const value = content[column]
      if (value === null || known[column].has(value)) return []
      const field = materialTransaction.fields[column].wire
      return new ApiError('ReferenceNotFound', {
        target: field,
        params: { field, value },
      }).toDetail(location)
    }),
  )
}

const columns: readonly ReferenceField[] = ['employeeId', 'departmentId', 'projectId', 'siteId']
