// Saved views: named filters of a screen, per user and company.
import { command, rowsQuery } from '../queries.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { statement } from '../statement.ts'
import type { Writer } from '../store.ts'
import type { SavedViewTable } from '../tables/accounts.ts'

export type SavedView = Pick<SavedViewTable, 'screen' | 'name' | 'search'>

export interface SavedViewOwner {
  readonly companyId: CompanyId
  readonly userId: number
}

/** All views of a user, by screen and name. */
export const listSavedViews = rowsQuery<SavedViewOwner, SavedView>(({ db, value }) =>
  db
    .selectFrom('savedView')
    .select(['screen', 'name', 'search'])
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId'))
    .orderBy('screen')
    .orderBy('name'),
)

/** Replaces a view of the same name. */
export async function saveView(writer: Writer, owner: SavedViewOwner, view: SavedView): Promise<void> {
  await deleteView(writer, { ...owner, ...view })
  await writer.run(insertStatement, { ...owner, ...view })
}

export const deleteView = command<SavedViewOwner & Pick<SavedView, 'screen' | 'name'>>(({ db, value }) =>
  db
    .deleteFrom('savedView')
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId'))
    .where('screen', '=', value('screen'))
    .where('name', '=', value('name')),
)

/** Deletes the views of a user in every company, because their names may be personal data. */
export const deleteUserViews = command<{ userId: number }>(
  ({ db, value }) => db.deleteFrom('savedView').where('userId', '=', value('userId')),
  'everyCompany',
)

const insertStatement = statement(({ db, values }) =>
  db.insertInto('savedView').values(values('companyId', 'userId', 'screen', 'name', 'search')),
)
