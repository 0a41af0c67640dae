// Item usage: how many lines an item has and their quantities, from which follows what is unusual (ADR 0049).
import { sql } from 'kysely'
import type { Transaction } from '../store.ts'
import { tables } from '../tables.ts'
import type { ItemUsageTable, MaterialTable } from '../tables/materials.ts'
import { bulkInsert } from '../bulk-insert.ts'
import { listQuery, type NoValues } from '../queries.ts'

export type ItemUsage = Omit<ItemUsageTable, 'companyId'>

/** What lines of the same item have in common; null for a line that only the export journal knows. */
export function itemOf({ itemId, itemName }: Pick<MaterialTable, 'itemId' | 'itemName'>): string | null {
  return itemId ?? itemName
}

/** A quantity without sign, such that a thousand of them are summed exactly. */
export function sizeOf({ quantity }: Pick<MaterialTable, 'quantity'>): number {
  return Math.min(Math.abs(quantity), 1e12)
}

/** A quantity without sign is unusual from here on; infinite while the item has too few lines. */
export function unusualSizeOf(usage: ItemUsage | undefined): number {
  return usage?.unusualFrom ?? Infinity
}

export interface UsageChange {
  readonly before: ItemUsage | undefined
  readonly after: ItemUsage
}

/** The usage of these items, where they have any. */
export async function findItemUsages(
  transaction: Transaction,
  items: Iterable<string>,
): Promise<Map<string, ItemUsage>> {
  const wanted = Array.from(items, (item) => ({ item }))
  const found = await listUsages(transaction, wanted)
  return new Map(found.map((usage) => [usage.item, usage]))
}

/** The usage of an item after lines were added to it, or taken from it. */
export function addUsage(
  item: string,
  before: ItemUsage | undefined,
  added: { readonly lines: number; readonly size: number },
): ItemUsage {
  const lines = (before?.lines ?? 0) + added.lines
  const size = Math.min((before?.size ?? 0) + added.size, Number.MAX_SAFE_INTEGER)
  return { item, lines, size, unusualFrom: findUnusualFrom({ lines, size }, before?.unusualFrom ?? null) }
}

/**
 * A quantity is unusual at ten times the average of the other lines. Once an item has many lines, the limit follows the
 * average only when it is a twentieth off: otherwise every line could make other lines unusual, or usual again.
 */
function findUnusualFrom({ lines, size }: Pick<ItemUsage, 'lines' | 'size'>, last: number | null): number | null {
  if (lines <= othersMin) return null
  // size * (lines - 1) >= 10 * (total - size), solved for the size of a line that is part of the total.
  const exact = Math.ceil((10 * size) / (lines + 9))
  return last !== null && lines > fewLines && Math.abs(last - exact) * 20 <= exact ? last : exact
}

/** How many other lines an item needs for a usual quantity. */
export const othersMin = 3

const fewLines = 20

const listUsages = listQuery<{ item: string }, NoValues, ItemUsage>(
  { item: 'text' },
  ({ value }, items) => sql`
    select usage.item, usage.lines, usage.size, usage."unusualFrom"
    from ${items} cross join "itemUsage" as usage
    where usage."companyId" = ${value('companyId')} and usage.item = r.item`,
)

export const saveItemUsages = bulkInsert(
  tables.itemUsage,
  sql`on conflict ("companyId", item) do update
    set lines = excluded.lines, size = excluded.size, "unusualFrom" = excluded."unusualFrom"`,
)
