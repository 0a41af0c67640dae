// Reference check: bound records must exist, and all named ones if the company requires it.
import { ApiError, type ErrorDetail } from '../errors/api-error.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { materialTransaction } from '../model/transaction.ts'
import type { StoredContent } from '../store/material/materials.ts'
import { findKnownReferences, type ReferenceField } from '../store/directory/references.ts'
import type { Transaction } from '../store/store.ts'

/** A content of a body, with its position and the members that set references in place of their fields. */
interface ReferringContent {
  readonly content: StoredContent
  readonly location: string
  readonly bindAnnotations?: ReadonlyMap<string, string>
}

/**
 * The unknown references of each content, in order. If the company does not require the check, only those that are bound
 * are checked: a record with a bound relation refers to an existing record (OData 4.01 part 1, 11.4.2.1).
 */
export async function findUnknownReferences(
  transaction: Transaction,
  contents: readonly ReferringContent[],
  { settings }: WriteContext,
): Promise<readonly (readonly ErrorDetail[])[]> {
  const isChecked = ({ bindAnnotations }: ReferringContent, column: ReferenceField) =>
    settings.requiresKnownSubjects || bindAnnotations?.has(column) === true
  if (!contents.some((one) => columns.some((column) => isChecked(one, column))))
    return contents.map(() => [])
  const known = await findKnownReferences(
    transaction,
    contents.map(({ content }) => content),
  )
  return contents.map((one) =>
    columns.flatMap((column) => {
      const { content, location, bindAnnotations } = one
      const value = content[column]
      if (value === null || !isChecked(one, column) || known[column].has(value)) return []
      const field = bindAnnotations?.get(column) ?? materialTransaction.fields[column].wire
      return new ApiError('ReferenceNotFound', {
        target: field,
        params: { field, value },
      }).toDetail(location)
    }),
  )
}

const columns: readonly ReferenceField[] = ['employeeId', 'departmentId', 'projectId', 'siteId']
