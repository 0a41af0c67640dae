// Validates contents: bound references must exist, and all others if the company requires it.
import { fieldError, type ErrorDetail } from '../errors/api-error.ts'
import type { WriteContext } from '../auth/action-context.ts'
import { completeContent, type MaterialRowInput } from './content.ts'
import type { RecordKey } from '../engine/model/resource.ts'
import { department, employee, project, site } from '../model/directory.ts'
import { materialTransaction } from '../model/transaction.ts'
import { findExistingKeys } from '../store/directory/directory-records.ts'
import type { StoredContent } from '../store/material/materials.ts'
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
  const isChecked = ({ bindAnnotations }: ReferringContent, column: ReferenceColumn) =>
    settings.requiresKnownSubjects || bindAnnotations?.has(column) === true
  if (!contents.some((one) => columns.some((column) => isChecked(one, column)))) return contents.map(() => [])
  const known = new Map<ReferenceColumn, ReadonlySet<RecordKey>>()
  for (const column of columns) {
    const keys = new Set(contents.flatMap(({ content }) => content[column] ?? []))
    known.set(column, await findExistingKeys(transaction, referencedSets[column], [...keys]))
  }
  return contents.map((one) =>
    columns.flatMap((column) => {
      const { content, location, bindAnnotations } = one
      const value = content[column]
      if (value === null || !isChecked(one, column) || known.get(column)?.has(value) === true) return []
      const field = bindAnnotations?.get(column) ?? materialTransaction.fields[column].wire
      return fieldError('ReferenceNotFound', field, { value }).toDetail(location)
    }),
  )
}

/** The columns that refer to the directory, and the sets that they refer to. */
const referencedSets = { employeeId: employee, departmentId: department, projectId: project, siteId: site } as const

type ReferenceColumn = keyof typeof referencedSets

const columns: readonly ReferenceColumn[] = ['employeeId', 'departmentId', 'projectId', 'siteId']
