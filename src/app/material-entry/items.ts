// Item suggestions: favourites, then recently used items, and search by name.
import { readFields, type BodyFields } from '../body.ts'
import type { SuggestedItem } from '../contract/material-entry.ts'
import { queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { memberKeyOf } from '../../auth/caller.ts'
import type { SessionUser } from '../../auth/sessions/sessions.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { message } from '../../errors/messages.ts'
import {
  saveFavourite,
  deleteFavourite,
  listFavouriteItems,
  toItemKey,
  searchItems,
  type ItemKey,
  type UsedItem,
} from '../../store/material/items.ts'
import { listRecentItems } from '../../store/material/own-material.ts'
import type { Reader } from '../../store/store.ts'
import { fieldError, notFoundError } from '../../errors/api-error.ts'

/** Each item once, in the first group that contains it. */
export async function itemsFor(
  reader: Reader,
  sessionUser: SessionUser,
  department: string | null,
): Promise<SuggestedItem[]> {
  const owner = memberKeyOf(sessionUser)
  const favourites = await listFavouriteItems(reader, owner)
  const { actor } = sessionUser.caller
  const recent = await listRecentItems(reader, owner.companyId, { actor, department })
  const seen = new Set<string>()
  const isFirst = (item: UsedItem) => {
    const key = toItemKey(item)
    return !seen.has(key) && seen.add(key)
  }
  const grouped = (group: SuggestedItem['group'], items: readonly UsedItem[]) =>
    items.filter(isFirst).map((item) => ({ ...item, group }))
  const nameOf = ({ itemName, itemId }: UsedItem) => itemName ?? itemId ?? ''
  const byName = favourites.toSorted((one, other) => compare(nameOf(one), nameOf(other)))
  return [
    ...grouped('favourite', byName),
    ...grouped('own', recent.own),
    ...grouped('department', recent.department),
    ...grouped('company', recent.company),
  ]
}

export async function findItems({ store, request, companyId }: AppRequest): Promise<{ items: UsedItem[] }> {
  const query = queryIn(request, ['search'])
  const words = (query.get('search') ?? '').slice(0, 200).split(/\s+/).filter(Boolean)
  const items = await searchItems(store, companyId, words)
  return { items }
}

/** Throws `NotFound` for an unused item, and `InvalidValue` when the user has a hundred favourites. */
export async function addFavouriteItem({ store, request, sessionUser }: AppRequest): Promise<null> {
  const item = itemIn(await readFields(request))
  const owner = memberKeyOf(sessionUser)
  await store.inTransaction(owner.companyId, async (transaction) => {
    if ((await listFavouriteItems(transaction, owner)).length >= favouritesMax)
      throw fieldError('InvalidValue', itemName.wire, { problem: message('maximumReached') })
    if (!(await saveFavourite(transaction, owner, item))) throw notFoundError(message('theRecord'))
  })
  return null
}

export async function deleteFavouriteItem({ store, request, sessionUser }: AppRequest): Promise<null> {
  const item = itemIn(await readFields(request))
  const owner = memberKeyOf(sessionUser)
  await store.inTransaction(owner.companyId, (transaction) => deleteFavourite(transaction, { ...owner, ...item }))
  return null
}

const favouritesMax = 100

const { itemName } = materialTransaction.fields

function itemIn(fields: BodyFields): ItemKey {
  return { itemName: fields.get('itemName') ?? '', itemId: fields.get('itemId') ?? '' }
}

const { compare } = new Intl.Collator('nb')
