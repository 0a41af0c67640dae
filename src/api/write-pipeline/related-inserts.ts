// Inserts behind a relation to many: `POST Avdeling('10')/Ansatte` (OData 4.01 part 1, 11.4.2).
import { recordNotFoundError } from '../odata/read-request.ts'
import { resolvePath, toRecordKey } from '../odata/resource-url.ts'
import { recordName } from '../../directory/types.ts'
import { fieldError, notFoundError, type ErrorDetail } from '../../errors/api-error.ts'
import { message } from '../../errors/messages.ts'
import type { RecordKey } from '../../engine/model/resource.ts'
import type { Relation } from '../../engine/model/schema.ts'
import type { ParsedRow } from '../../engine/formats/read/read-records.ts'
import type { ResolvedPath } from '../../engine/planner/path/resolved-path.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { findExistingKeys } from '../../store/directory/directory-records.ts'
import type { Transaction } from '../../store/store.ts'

/** The record in the path, and the relation from it to the new records. */
interface ParentLink {
  readonly relation: Relation
  readonly key: RecordKey
}

/** Whether the path ends with a relation to many of a record that it names by its set and key. */
export function isRelatedCollection({ via, isSingle }: ResolvedPath): boolean {
  return via !== null && !isSingle && via.from.via === null && via.from.key.length > 0
}

/** Null for the path of a set. Throws `NotFound` for a key that no record can have. */
export function findParentLink(path: string): ParentLink | null {
  const via = resolvePath(serviceSchema, path)?.via ?? null
  if (via === null) return null
  const { relation, from } = via
  const key = toRecordKey(from.key, relation.of)
  if (key === null) throw recordNotFoundError(from)
  return { relation, key }
}

/** Throws `NotFound` where the company has no such record. */
export async function requireParent(transaction: Transaction, { relation, key }: ParentLink): Promise<void> {
  const found = await findExistingKeys(transaction, relation.of, [key])
  if (!found.has(key)) throw notFoundError(recordName(relation.of, key))
}

/** A parsed row of any resource. */
interface ReferringRow extends Pick<ParsedRow, 'location' | 'bindAnnotations'> {
  readonly values: Readonly<Record<string, unknown>>
}

/** The error of a row that refers to another record than the path; null for none. */
export function findContradiction(
  { location, values, bindAnnotations }: ReferringRow,
  parent: ParentLink,
): ErrorDetail | null {
  const foreignKey = foreignKeyOf(parent)
  const sent = values[foreignKey]
  if (sent === undefined || sent === parent.key) return null
  const wire = parent.relation.to.fields[foreignKey]?.wire ?? foreignKey
  const field = bindAnnotations.get(foreignKey) ?? wire
  return fieldError('InvalidValue', field, { problem: message('differsFromUrlKey') }).toDetail(location)
}

/** The row with a reference to the record in the path. */
export function linkRow<LinkedRow extends Pick<ReferringRow, 'values'>>(row: LinkedRow, parent: ParentLink): LinkedRow {
  return { ...row, values: { ...row.values, [foreignKeyOf(parent)]: parent.key } }
}

/** Every relation of the service has one field. */
function foreignKeyOf({ relation }: ParentLink): string {
  return Object.values(relation.on)[0] ?? ''
}
