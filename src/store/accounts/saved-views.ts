// Saved views: named filters of a screen, per user and company.
import { deleteWhere, insertInto, selectWhere } from '../row-statements.ts'
import { command, rowsQuery } from '../queries.ts'
import type { Writer } from '../store.ts'
import type { MemberKey, SavedViewTable } from '../tables/accounts.ts'

export type SavedView = Pick<SavedViewTable, 'screen' | 'name' | 'search'>

export const listSavedViews = rowsQuery<MemberKey, SavedView>(
  selectWhere('savedView', ['companyId', 'userId'], {
    columns: ['screen', 'name', 'search'],
    orderBy: ['screen', 'name'],
  }),
)

/** Replaces a view of the same name. */
export async function saveView(writer: Writer, owner: MemberKey, view: SavedView): Promise<void> {
  await deleteView(writer, { ...owner, ...view })
  await insertView(writer, { ...owner, ...view })
}

export const deleteView = command<MemberKey & Pick<SavedView, 'screen' | 'name'>>(
  deleteWhere('savedView', 'companyId', 'userId', 'screen', 'name'),
)

/** Deletes the views of a user in every company, because their names may be personal data. */
export const deleteUserViews = command(deleteWhere('savedView', 'userId'), 'everyCompany')

const insertView = command(insertInto('savedView', 'companyId', 'userId', 'screen', 'name', 'search'))
