// Reference check of directory rows: a referenced record must exist, or be in the same list.
import type { KeyedRow } from './types.ts'
import { Fault, type Detail } from '../errors/catalog.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import type { RecordKey } from '../engine/model/resource.ts'
import type { Relation } from '../engine/model/schema.ts'
import { existingKeys } from '../store/directory/directory-records.ts'
import type { Transaction } from '../store/store.ts'

/** Adds to `refused`, by index, the rows with a missing reference, and those that reference a rejected row. */
export async function refuseDangling(
  transaction: Transaction,
  rows: readonly KeyedRow[],
  { relations, refused }: { relations: readonly Relation[]; refused: Map<number, Detail> },
): Promise<void> {
  // Self-references come last, because they depend on which rows are already rejected.
  const isOfItsLike = ({ of, to }: Relation) => of === to
  const outward = relations.filter((one) => !isOfItsLike(one))
  for (const relation of [...outward, ...relations.filter(isOfItsLike)]) {
    const field = fieldOf(relation)
    const wanted = new Set<RecordKey>()
    await inSlices(rows, sliceKeys, (slice) => {
      for (const { values } of slice) {
        const reference = referenceIn(values[field])
        if (reference !== null) wanted.add(reference)
      }
    })
    if (wanted.size === 0) continue
    const found = new Set<RecordKey>()
    await inSlices([...wanted], sliceKeys, async (slice) => {
      for (const key of await existingKeys(transaction, relation.to, slice)) found.add(key)
    })
    const isMissing = (row: KeyedRow): boolean => {
      const reference = referenceIn(row.values[field])
      return reference !== null && !found.has(reference)
    }
    if (isOfItsLike(relation)) refuseWithin(rows, { relation, refused, isMissing })
    else
      await inSlices(rows, sliceKeys, (slice, start) =>
        slice.forEach((row, index) => {
          const at = start + index
          if (!refused.has(at) && isMissing(row)) refused.set(at, danglingAt(row, relation))
        }),
      )
  }
}

interface Within {
  readonly relation: Relation
  readonly refused: Map<number, Detail>
  /** Whether the row references a record that is not stored. */
  readonly isMissing: (row: KeyedRow) => boolean
}

/** Self-references may point to rows of the same list; a rejected row also rejects the rows that reference it. */
function refuseWithin(rows: readonly KeyedRow[], { relation, refused, isMissing }: Within): void {
  const field = fieldOf(relation)
  const bringers = new Map<RecordKey, number>()
  rows.forEach(({ key }, index) => {
    if (!refused.has(index)) bringers.set(key, (bringers.get(key) ?? 0) + 1)
  })
  const hanging = Map.groupBy(
    rows.keys().filter((index) => !refused.has(index) && isMissing(rowAt(rows, index))),
    (index) => referenceIn(rowAt(rows, index).values[field]),
  )
  const gone = [...hanging.keys()].filter((key) => key !== null && !bringers.has(key))
  for (let key = gone.pop(); key !== undefined; key = gone.pop())
    for (const index of hanging.get(key) ?? []) {
      if (refused.has(index)) continue
      const row = rowAt(rows, index)
      refused.set(index, danglingAt(row, relation))
      const left = (bringers.get(row.key) ?? 0) - 1
      bringers.set(row.key, left)
      if (left === 0) gone.push(row.key)
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

function referenceIn(value: KeyedRow['values'][string]): RecordKey | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function danglingAt({ values, place }: KeyedRow, relation: Relation): Detail {
  const name = fieldOf(relation)
  const field = relation.of.fields[name]?.wire ?? name
  const says = { field, value: String(values[name]) }
  return new Fault('ReferenceNotFound', { target: field, says }).detail(place)
}

const sliceKeys = 2000
