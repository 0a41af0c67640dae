// Reference check of directory rows: a referenced record must exist, or be in the same list.
import { parseKey } from './keys.ts'
import type { KeyedRow } from './types.ts'
import { fieldError, type ErrorDetail } from '../errors/api-error.ts'
import { forEachChunk } from '../lib/yield-to-event-loop.ts'
import type { RecordKey } from '../engine/model/resource.ts'
import type { Relation } from '../engine/model/schema.ts'
import { findExistingKeys } from '../store/directory/directory-records.ts'
import type { Transaction } from '../store/store.ts'

/** Adds to `rejected`, by index, the rows with a missing reference, and those that reference a rejected row. */
export async function rejectMissingReferences(
  transaction: Transaction,
  rows: readonly KeyedRow[],
  { relations, rejected }: { relations: readonly Relation[]; rejected: Map<number, ErrorDetail> },
): Promise<void> {
  // Self-references come last, because they depend on which rows are already rejected.
  const isSelfReference = ({ of, to }: Relation) => of === to
  const otherReferences = relations.filter((one) => !isSelfReference(one))
  for (const relation of [...otherReferences, ...relations.filter(isSelfReference)]) {
    const field = fieldOf(relation)
    const wanted = new Set<RecordKey>()
    await forEachChunk(rows, chunkKeys, (chunk) => {
      for (const { values } of chunk) {
        const reference = parseKey(values[field])
        if (reference !== null) wanted.add(reference)
      }
    })
    if (wanted.size === 0) continue
    const found = await findExistingKeys(transaction, relation.to, [...wanted])
    const isMissing = (row: KeyedRow): boolean => {
      const reference = parseKey(row.values[field])
      return reference !== null && !found.has(reference)
    }
    if (isSelfReference(relation)) rejectMissingSelfReferences(rows, { relation, rejected, isMissing })
    else
      await forEachChunk(rows, chunkKeys, (chunk, start) =>
        chunk.forEach((row, index) => {
          const at = start + index
          if (!rejected.has(at) && isMissing(row)) rejected.set(at, referenceError(row, relation))
        }),
      )
  }
}

interface SelfReferenceCheck {
  readonly relation: Relation
  readonly rejected: Map<number, ErrorDetail>
  /** Whether the row references a record that is not stored. */
  readonly isMissing: (row: KeyedRow) => boolean
}

/** Self-references may point to rows of the same list; a rejected row also rejects the rows that reference it. */
function rejectMissingSelfReferences(
  rows: readonly KeyedRow[],
  { relation, rejected, isMissing }: SelfReferenceCheck,
): void {
  const field = fieldOf(relation)
  const rowCountByKey = new Map<RecordKey, number>()
  rows.forEach(({ key }, index) => {
    if (!rejected.has(index)) rowCountByKey.set(key, (rowCountByKey.get(key) ?? 0) + 1)
  })
  const dependents = Map.groupBy(
    rows.keys().filter((index) => !rejected.has(index) && isMissing(rowAt(rows, index))),
    (index) => parseKey(rowAt(rows, index).values[field]),
  )
  const missingKeys = [...dependents.keys()].filter((key) => key !== null && !rowCountByKey.has(key))
  for (let key = missingKeys.pop(); key !== undefined; key = missingKeys.pop())
    for (const index of dependents.get(key) ?? []) {
      if (rejected.has(index)) continue
      const row = rowAt(rows, index)
      rejected.set(index, referenceError(row, relation))
      const left = (rowCountByKey.get(row.key) ?? 0) - 1
      rowCountByKey.set(row.key, left)
      if (left === 0) missingKeys.push(row.key)
    }
}

function rowAt(rows: readonly KeyedRow[], index: number): KeyedRow {
  const row = rows[index]
  if (row === undefined) throw new Error(`no row ${index}`)
  return row
}

/** Every relation of the directory has a foreign key of one field. */
function fieldOf({ on }: Relation): string {
  return Object.keys(on)[0] ?? ''
}

function referenceError({ values, location, bindAnnotations }: KeyedRow, relation: Relation): ErrorDetail {
  const name = fieldOf(relation)
  const field = bindAnnotations?.get(name) ?? relation.of.fields[name]?.wire ?? name
  return fieldError('ReferenceNotFound', field, { value: String(values[name]) }).toDetail(location)
}

const chunkKeys = 2000
