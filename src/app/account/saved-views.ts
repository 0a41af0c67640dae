// Saved views: named filters of a screen, as its query string.
import { readFields, shortText, textIn, type Fields } from '../body.ts'
import { json, type Asked } from '../route.ts'
import { screens } from '../paths.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'
import { deleteView, savedViews, saveView, type Owner } from '../../store/accounts/saved-views.ts'
import type { Reader } from '../../store/store.ts'

export async function listViews({ store, visitor }: Asked): Promise<Reply> {
  return viewsReply(store, ownerOf(visitor))
}

async function viewsReply(reader: Reader, owner: Owner): Promise<Reply> {
  return json({ views: await savedViews(reader, owner) })
}

/** Saves a view, replacing one of the same name. Throws `InvalidValue` when the user has a hundred. */
export async function keepView({ store, request, visitor }: Asked): Promise<Reply> {
  const fields = await readFields(request)
  const search = shortText(fields, 'search', 1_000)
  const view = { ...viewIn(fields), search }
  const owner = ownerOf(visitor)
  await store.inTransaction(owner.companyId, async (transaction) => {
    const others = (await savedViews(transaction, owner)).filter(
      ({ screen, name }) => screen !== view.screen || name !== view.name,
    )
    if (others.length >= viewsMax)
      throw new Fault('InvalidValue', {
        target: 'name',
        says: { field: 'name', problem: phrase('aHundredAlready') },
      })
    await saveView(transaction, owner, view)
  })
  return viewsReply(store, owner)
}

export async function dropView({ store, request, visitor }: Asked): Promise<Reply> {
  const view = viewIn(await readFields(request))
  const owner = ownerOf(visitor)
  await store.inTransaction(owner.companyId, (transaction) => deleteView(transaction, owner, view))
  return { status: 204, headers: {}, body: null }
}

function ownerOf({ caller, userId }: Asked['visitor']): Owner {
  return {
    companyId: caller.companyId,
    userId,
  }
}

function viewIn(fields: Fields) {
  const screen = textIn(fields, 'screen')
  if (!screens.some((one) => one === screen))
    throw new Fault('InvalidValue', {
      target: 'screen',
      says: { field: 'screen', problem: phrase('noSuchChoice') },
    })
  return { screen, name: shortText(fields, 'name', 60) }
}

const viewsMax = 100
