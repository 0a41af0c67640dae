// Material transactions: found by id or source key, and written with their revisions.
import { sql, type RawBuilder } from 'kysely'
import { pick } from '../../lib/pick.ts'
import { deleteWhere } from '../row-statements.ts'
import { companyCommand, listCommand, listQuery, idsQuery, type NoValues } from '../queries.ts'
import { joinEach, updateEach, type Build } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnTypes } from '../tables/define-table.ts'
import { contentColumns } from '../tables/field-columns.ts'
import type { MaterialRevisionTable, MaterialTable } from '../tables/materials.ts'
import { bulkInsert } from '../bulk-insert.ts'

export type StoredMaterial = Omit<MaterialTable, 'companyId'>

/** A transaction before and after a write: null before its insertion, and after its deletion. */
export interface LineChange {
  readonly before: StoredMaterial | null
  /** Its flags are left to the write. */
  readonly after: StoredMaterial | null
}

/** The revision of a transaction that only the export journal knows: filled in when the source sends it again. */
export const revisionUnknown = 0

/** The key that its source gives a transaction. */
export interface SourceKey {
  readonly source: string
  readonly externalId: string
}

/** Null without an external id. */
export function sourceKeyOf({ source, externalId }: Pick<StoredContent, 'source' | 'externalId'>): SourceKey | null {
  return externalId === null ? null : { source, externalId }
}

/** The key as text, for maps. */
export function toSourceKey({ source, externalId }: SourceKey): string {
  return `${source.length} ${source}${externalId}`
}

/** By id; without ids that do not exist in this company. */
export async function findMaterials(
  transaction: Transaction,
  ids: readonly number[],
): Promise<Map<number, StoredMaterial>> {
  const rows = await listMaterials(transaction, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/** By `toSourceKey`. */
export async function findMaterialsBySource(
  transaction: Transaction,
  keys: readonly SourceKey[],
): Promise<Map<string, StoredMaterial>> {
  const rows = await listBySource(transaction, keys)
  return new Map(rows.map((row) => [toSourceKey({ ...row, externalId: row.externalId ?? '' }), row]))
}

/** Called by `saveLineChanges`, which keeps what depends on transactions, as are `updateMaterials` and `deleteMaterials`. */
export const insertMaterials = bulkInsert(tables.material)

/** Rows per statement. SQLite looks each column of a row up in its JSON text, 0.05 ms a row in November 2026. */
const updatedRows = 250

export async function deleteMaterials(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (const id of ids) await deleteMaterial(transaction, { id })
}

const deleteMaterial = companyCommand(deleteWhere('material', 'companyId', 'id'))

export type NewRevision = Omit<MaterialRevisionTable, 'companyId'>

/** Inserts the content that transactions had before a change. */
export const insertRevisions = bulkInsert(tables.materialRevision)

/** The stored content of a transaction or a line. */
export type StoredContent = Pick<StoredMaterial, keyof typeof contentColumns>

/** The content columns of a row. */
export function pickContent(row: StoredContent): StoredContent {
  return pick(row, contentNames)
}

const contentNames = Object.keys(contentColumns) as (keyof StoredContent)[]

const materialColumns = columnTypes(tables.material)

const selected = sql.join(Object.keys(materialColumns).map((name) => sql.ref(`material.${name}`)))

/** Joins the transaction of each listed id. */
export function joinListedMaterial(build: Build): RawBuilder<unknown> {
  return joinEach(build, 'material', sql`material."companyId" = ${build.value('companyId')} and material.id = r.id`)
}

const listMaterials = idsQuery<NoValues, StoredMaterial>(
  (build, ids) => sql`
    select ${selected} from ${ids}
    ${joinListedMaterial(build)}`,
)

const sourceColumns = { source: 'text', externalId: 'text' } as const

const listBySource = listQuery<SourceKey, NoValues, StoredMaterial>(sourceColumns, (build, keys) => {
  const ofSource = sql`material."companyId" = ${build.value('companyId')} and material.source = r.source
    and material."externalId" = r."externalId" and material."externalId" is not null`
  return sql`
    select ${selected} from ${keys}
    ${joinEach(build, 'material', ofSource)}`
})

/** Overwrites every column. */
export const updateMaterials = listCommand<StoredMaterial, NoValues>(
  materialColumns,
  (build) => {
    const changed = Object.keys(materialColumns)
      .filter((name) => name !== 'id')
      .map((name) => sql`${sql.id(name)} = ${sql.ref(`r.${name}`)}`)
    return updateEach(build, { table: 'material', set: sql`${sql.join(changed)}`, columns: materialColumns })
  },
  updatedRows,
)
