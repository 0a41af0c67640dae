// Saved views: named filters of a screen, per user and company.
import { deleteWhere, selectWhere, upsertInto } from '../row-statements.ts'
import { command, rowsQuery } from '../queries.ts'
import type { MemberKey, SavedViewTable } from '../tables/accounts.ts'

export type SavedView = Pick<SavedViewTable, 'screen' | 'name' | 'search'>

export const listSavedViews = rowsQuery<MemberKey, SavedView>(
  selectWhere('savedView', ['companyId', 'userId'], {
    columns: ['screen', 'name', 'search'],
    orderBy: ['screen', 'name'],
  }),
)

/** Replaces a view of the same name. */
export const saveView = command<MemberKey & SavedView>(
  upsertInto('savedView', ['companyId', 'userId', 'screen', 'name'], ['search']),
)

export const deleteView = command<MemberKey & Pick<SavedView, 'screen' | 'name'>>(
  deleteWhere('savedView', 'companyId', 'userId', 'screen', 'name'),
)

/** Deletes the views of a user in every company, because their names may be personal data. */
export const deleteUserViews = command(deleteWhere('savedView', 'userId'), 'everyCompany')
