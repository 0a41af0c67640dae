// Item suggestions: favourites, then recently used items, and search by name.
import { readFields, type Fields } from '../body.ts'
import { json, type Asked } from '../route.ts'
import type { Visitor } from '../../auth/sessions/sessions.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase } from '../../errors/messages.ts'
import {
  addFavourite,
  dropFavourite,
  favouriteItems,
  itemKeyOf,
  itemsWith,
  type Fan,
  type ItemKey,
  type UsedItem,
} from '../../store/material/items.ts'
import { recentItems } from '../../store/material/own-material.ts'
import type { Reader } from '../../store/store.ts'

/** The reason for a suggestion. */
type Group = 'favourite' | 'own' | 'department' | 'company'

/** Each item once, in the first group that contains it. */
export async function itemsFor(
  reader: Reader,
  visitor: Visitor,
  department: string | null,
): Promise<(UsedItem & { group: Group })[]> {
  const fan = fanOf(visitor)
  const favourites = await favouriteItems(reader, fan)
  const { actor } = visitor.caller
  const recent = await recentItems(reader, fan.companyId, { actor, department })
  const met = new Set<string>()
  const firstMet = (item: UsedItem) => {
    const key = itemKeyOf(item)
    return !met.has(key) && met.add(key)
  }
  const grouped = (group: Group, items: readonly UsedItem[]) =>
    items.filter(firstMet).map((item) => ({ ...item, group }))
  return [
    ...grouped('favourite', favourites.toSorted(byName)),
    ...grouped('own', recent.own),
    ...grouped('department', recent.department),
    ...grouped('company', recent.company),
  ]
}

/** Searches all items that the company has used. */
export async function findItems({ store, request, visitor }: Asked): Promise<Reply> {
  const query = parseQuery(request.search, knownParameters(['search'], 'refused'))
  const words = (query.get('search') ?? '').slice(0, 200).split(/\s+/).filter(Boolean)
  const items = await itemsWith(store, visitor.caller.companyId, words)
  return json({ items })
}

/** Throws `NotFound` for an unused item, and `InvalidValue` when the user has a hundred favourites. */
export async function starItem({ store, request, visitor }: Asked): Promise<Reply> {
  const item = itemIn(await readFields(request))
  const fan = fanOf(visitor)
  await store.inTransaction(fan.companyId, async (transaction) => {
    if ((await favouriteItems(transaction, fan)).length >= favouritesMax)
      throw new Fault('InvalidValue', {
        target: itemName.wire,
        says: { field: itemName.wire, problem: phrase('aHundredAlready') },
      })
    if (!(await addFavourite(transaction, fan, item)))
      throw new Fault('NotFound', { says: { what: phrase('theRecord') } })
  })
  return done
}

export async function dropFavouriteItem({ store, request, visitor }: Asked): Promise<Reply> {
  const item = itemIn(await readFields(request))
  const fan = fanOf(visitor)
  await store.inTransaction(fan.companyId, (transaction) => dropFavourite(transaction, fan, item))
  return done
}

const done: Reply = { status: 204, headers: {}, body: null }

const favouritesMax = 100

const { itemName } = materialTransaction.fields

function fanOf({ caller, userId }: Visitor): Fan {
  return { companyId: caller.companyId, userId }
}

function itemIn(fields: Fields): ItemKey {
  return {
    itemName: fields.get('itemName') ?? '',
    itemId: fields.get('itemId') ?? '',
  }
}

const { compare } = new Intl.Collator('nb')

function byName(one: UsedItem, other: UsedItem): number {
  return compare(one.itemName ?? one.itemId ?? '', other.itemName ?? other.itemId ?? '')
}
