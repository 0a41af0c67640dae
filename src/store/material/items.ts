// Items: every item that material was registered with, and the favourites of users.
import { deleteWhere, insertReturning, selectWhere } from '../row-statements.ts'
import { command, commandChanges, rowsQuery, existsQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement } from '../statement.ts'
import type { Awaitable, Reader, Transaction, Writer } from '../store.ts'
import { tables } from '../tables.ts'
import type { MemberKey } from '../tables/accounts.ts'
import type { ItemTable, MaterialTable } from '../tables/materials.ts'
import { bulkInsert } from '../bulk-insert.ts'

/** An item has a name, a number, or both. Unit and price are those of its latest line. */
export type UsedItem = Pick<MaterialTable, 'itemId' | 'itemName' | 'unit' | 'salesPrice'>

/** The key of an item; a missing part is empty. */
export type ItemKey = Pick<ItemTable, 'itemName' | 'itemId'>

/** The key of an item as text, for maps. */
export function toItemKey({ itemName, itemId }: Pick<UsedItem, 'itemName' | 'itemId'>): string {
  return JSON.stringify([itemName ?? '', itemId ?? ''])
}

/** Saves the items of lines in their order; an existing item is only written where unit or price differ. */
export function saveItems(transaction: Transaction, lines: readonly UsedItem[]): Promise<void> {
  const items = new Map(lines.map((line) => [toItemKey(line), line]))
  const rows = [...items.values()].map(({ itemName, itemId, unit, salesPrice }) => ({
    itemName: itemName ?? '',
    itemId: itemId ?? '',
    unit,
    salesPrice,
    searchText: `${itemName ?? ''} ${itemId ?? ''}`.toLowerCase(),
  }))
  return upsertItems(transaction, rows)
}

/** At most 30 items that contain every word; items that begin with the first word come first. */
export function searchItems(reader: Reader, companyId: CompanyId, words: readonly string[]): Awaitable<UsedItem[]> {
  const [first = '', second = '', third = '', ...more] = words.map((word) => word.toLowerCase())
  return reader.all(searchStatement, { companyId, first, second, third, rest: more.join(' ') })
}

export const listFavouriteItems = rowsQuery<MemberKey, UsedItem>(
  ({ value }) => sql`
    select ${columns} from "favouriteItem" as favourite
    join item on item."companyId" = favourite."companyId" and item."itemName" = favourite."itemName"
      and item."itemId" = favourite."itemId"
    where favourite."companyId" = ${value('companyId')} and favourite."userId" = ${value('userId')}`,
)

/** Makes the item a favourite of the user; false where the company does not have the item. */
export async function saveFavourite(writer: Writer, owner: MemberKey, item: ItemKey): Promise<boolean> {
  const values = { ...owner, ...item }
  const isKnown = await hasItem(writer, values)
  if (isKnown) await insertFavourite(writer, values)
  return isKnown
}

export const deleteFavourite = command<MemberKey & ItemKey>(
  deleteWhere('favouriteItem', 'companyId', 'userId', 'itemName', 'itemId'),
)

/** Deletes the favourites of a user in every company. */
export const deleteUserFavourites = command(deleteWhere('favouriteItem', 'userId'), 'everyCompany')

const upsertItems = bulkInsert(
  tables.item,
  sql`on conflict ("companyId", "itemName", "itemId") do update
    set unit = coalesce(excluded.unit, item.unit),
      "salesPrice" = coalesce(excluded."salesPrice", item."salesPrice")
    where coalesce(excluded.unit, item.unit) is distinct from item.unit
      or coalesce(excluded."salesPrice", item."salesPrice") is distinct from item."salesPrice"`,
)

const columns = sql.raw(`nullif(item."itemId", '') as "itemId", nullif(item."itemName", '') as "itemName",
  item.unit, item."salesPrice"`)

/** Searches the first 100,000 items only, in case a company gives every line a different name. */
const searchStatement = statement<UsedItem>(({ dialect, value }) => {
  const at = (name: string) =>
    dialect === 'sqlite'
      ? sql`instr("searchText", ${value(name)})`
      : sql`strpos("searchText", cast(${value(name)} as text))`
  return sql`
    select ${columns} from (select * from item where item."companyId" = ${value('companyId')}
      order by item."itemName", item."itemId" limit 100000) as item
    where ${at('first')} > 0 and ${at('second')} > 0 and ${at('third')} > 0 and ${at('rest')} > 0
    order by case ${at('first')} when 1 then 0 else 1 end, "searchText" limit 30`
})

const hasItem = existsQuery(selectWhere('item', ['companyId', 'itemName', 'itemId']))

const insertFavourite = commandChanges(insertReturning('favouriteItem', 'companyId', 'userId', 'itemName', 'itemId'))
