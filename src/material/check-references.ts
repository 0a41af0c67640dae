// Validates contents: bound references must exist, and all others if the company requires it.
import { ApiError, type ErrorDetail } from '../errors/api-error.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { completeContent, type MaterialRowInput } from './content.ts'
import { materialTransaction } from '../model/transaction.ts'
import type { StoredContent } from '../store/material/materials.ts'
import { findKnownReferences, type ReferenceField } from '../store/directory/references.ts'
import type { Transaction } from '../store/store.ts'

/** The content of each row, or its errors. */
export async function validateContents(
  transaction: Transaction,
  rows: readonly MaterialRowInput[],
  context: WriteContext,
): Promise<readonly (StoredContent | readonly ErrorDetail[])[]> {
  const contents = rows.map(({ values, location }) => completeContent(values, context.source, location))
  const valid = contents.flatMap((content, index) =>
    'date' in content ? { location: '', ...rows[index], content } : [],
  )
  const unknownReferences = (await findUnknownReferences(transaction, valid, context)).values()
  return contents.map((content) => {
    if (!('date' in content)) return content
    const details = unknownReferences.next().value ?? []
    return details.length > 0 ? details : content
  })
}

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
async function findUnknownReferences(
  transaction: Transaction,
  contents: readonly ReferringContent[],
  { settings }: WriteContext,
): Promise<readonly (readonly ErrorDetail[])[]> {
  const isChecked = ({ bindAnnotations }: ReferringContent, column: ReferenceField) =>
    settings.requiresKnownSubjects || bindAnnotations?.has(column) === true
  if (!contents.some((one) => columns.some((column) => isChecked(one, column)))) return contents.map(() => [])
  const checked = contents.map(({ content }) => content)
  const known = await findKnownReferences(transaction, checked)
  return contents.map((one) =>
    columns.flatMap((column) => {
      const { content, location, bindAnnotations } = one
      const value = content[column]
      if (value === null || !isChecked(one, column) || known[column].has(value)) return []
      const field = bindAnnotations?.get(column) ?? materialTransaction.fields[column].wire
      return new ApiError('ReferenceNotFound', { target: field, params: { field, value } }).toDetail(location)
    }),
  )
}

const columns: readonly ReferenceField[] = ['employeeId', 'departmentId', 'projectId', 'siteId']
