// Material transactions: found by id or source key, and written with their revisions.
import { sql } from 'kysely'
import { pick } from '../../lib/pick.ts'
import { forEachChunk } from '../../lib/yield-to-event-loop.ts'
import { defineInsert, insertRows } from '../bulk-insert.ts'
import { deleteWhere } from '../row-statements.ts'
import { companyCommand } from '../queries.ts'
import { joinEach, updateEach, rowsFromJson, statement, toIdRows } from '../statement.ts'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import { columnTypes } from '../tables/define-table.ts'
import { contentColumns } from '../tables/field-columns.ts'
import type { MaterialRevisionTable, MaterialTable } from '../tables/materials.ts'

export type StoredMaterial = Omit<MaterialTable, 'companyId'>

/** A transaction before and after a write: null before its insertion, and after its deletion. */
export interface LineChange {
  readonly before: StoredMaterial | null
  /** Its flags are left to the write. */
  readonly after: StoredMaterial | null
}

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
  const rows = await transaction.all(byIdStatement, { companyId: transaction.companyId, ids: toIdRows(ids) })
  return new Map(rows.map((row) => [row.id, row]))
}

/** By `toSourceKey`. */
export async function findMaterialsBySource(
  transaction: Transaction,
  keys: readonly SourceKey[],
): Promise<Map<string, StoredMaterial>> {
  if (keys.length === 0) return new Map()
  const rows = await transaction.all(bySourceStatement, {
    companyId: transaction.companyId,
    keys: JSON.stringify(keys),
  })
  return new Map(rows.map((row) => [toSourceKey({ ...row, externalId: row.externalId ?? '' }), row]))
}

/** These three are called by `saveLineChanges`, which keeps what depends on transactions. */
export function insertMaterials(transaction: Transaction, materials: readonly StoredMaterial[]): Promise<void> {
  return insertRows(transaction, materialInsert, materials)
}

/** Overwrites every column. */
export async function updateMaterials(transaction: Transaction, materials: readonly StoredMaterial[]): Promise<void> {
  const { companyId } = transaction
  await forEachChunk(materials, updatedRows, async (chunk) => {
    await transaction.run(updateStatement, { companyId, rows: JSON.stringify(chunk) })
  })
}

/** Rows per statement. SQLite looks each column of a row up in its JSON text, 0.05 ms a row in November 2026. */
const updatedRows = 250

export async function deleteMaterials(transaction: Transaction, ids: readonly number[]): Promise<void> {
  for (const id of ids) await deleteMaterial(transaction, { id })
}

const deleteMaterial = companyCommand(deleteWhere('material', 'companyId', 'id'))

export type NewRevision = Omit<MaterialRevisionTable, 'companyId'>

/** Inserts the content that transactions had before a change. */
export function insertRevisions(transaction: Transaction, revisions: readonly NewRevision[]): Promise<void> {
  return insertRows(transaction, revisionInsert, revisions)
}

/** The stored content of a transaction or a line. */
export type StoredContent = Pick<StoredMaterial, keyof typeof contentColumns>

/** The content columns of a row. */
export function pickContent(row: StoredContent): StoredContent {
  return pick(row, contentNames)
}

const contentNames = Object.keys(contentColumns) as (keyof StoredContent)[]

const materialColumns = columnTypes(tables.material)

const materialInsert = defineInsert(tables.material)

const revisionInsert = defineInsert(tables.materialRevision)

const selected = sql.join(Object.keys(materialColumns).map((name) => sql.ref(`material.${name}`)))

const byIdStatement = statement<StoredMaterial>(
  (build) => sql`
    select ${selected} from ${rowsFromJson(build, 'ids', { id: 'integer' })}
    ${joinEach(build, 'material', sql`material."companyId" = ${build.value('companyId')} and material.id = r.id`)}`,
)

const bySourceStatement = statement<StoredMaterial>((build) => {
  const ofSource = sql`material."companyId" = ${build.value('companyId')} and material.source = r.source
    and material."externalId" = r."externalId" and material."externalId" is not null`
  return sql`
    select ${selected} from ${rowsFromJson(build, 'keys', { source: 'text', externalId: 'text' })}
    ${joinEach(build, 'material', ofSource)}`
})

const updateStatement = statement((build) => {
  const changed = Object.keys(materialColumns)
    .filter((name) => name !== 'id')
    .map((name) => sql`${sql.id(name)} = ${sql.ref(`r.${name}`)}`)
  return updateEach(build, {
    table: 'material',
    set: sql`${sql.join(changed)}`,
    columns: materialColumns,
    where: sql`material."companyId" = r."companyId" and material.id = r.id`,
  })
})
