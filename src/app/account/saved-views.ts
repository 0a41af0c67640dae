// Saved views: named filters of a screen, as its query string.
import type { SavedViews } from '../contract/endpoints.ts'
import { readFields, shortText, textIn, type BodyFields } from '../body.ts'
import { invalidValueError, parseChoice } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { screens } from '../contract/screens.ts'
import { memberKeyOf } from '../../auth/caller.ts'
import { message } from '../../errors/messages.ts'
import { deleteView, listSavedViews, saveView } from '../../store/accounts/saved-views.ts'

export async function listViews({ store, sessionUser }: AppRequest): Promise<SavedViews> {
  return { views: await listSavedViews(store, memberKeyOf(sessionUser)) }
}

/** Saves a view, replacing one of the same name. Throws `InvalidValue` when the user has a hundred. */
export async function saveViewByName(appRequest: AppRequest): Promise<SavedViews> {
  const { store, request, sessionUser } = appRequest
  const fields = await readFields(request)
  const search = shortText(fields, 'search', 1_000)
  const view = { ...viewIn(fields), search }
  const owner = memberKeyOf(sessionUser)
  await store.inTransaction(owner.companyId, async (transaction) => {
    const others = (await listSavedViews(transaction, owner)).filter(
      ({ screen, name }) => screen !== view.screen || name !== view.name,
    )
    if (others.length >= viewsMax) throw invalidValueError('name', message('maximumReached'))
    await saveView(transaction, { ...owner, ...view })
  })
  return listViews(appRequest)
}

export async function deleteViewByName({ store, request, sessionUser }: AppRequest): Promise<null> {
  const view = viewIn(await readFields(request))
  const owner = memberKeyOf(sessionUser)
  await store.inTransaction(owner.companyId, (transaction) => deleteView(transaction, { ...owner, ...view }))
  return null
}

function viewIn(fields: BodyFields) {
  const screen = parseChoice(textIn(fields, 'screen'), screens, 'screen')
  return { screen, name: shortText(fields, 'name', 60) }
}

const viewsMax = 100
