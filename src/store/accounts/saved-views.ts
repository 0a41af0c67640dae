// Saved views: named filters of a screen, per user and company.
import type { CompanyId } from '../../engine/model/resource.ts'
import { crossCompanyStatement, statement } from '../statement.ts'
import type { Awaitable, Reader, Writer } from '../store.ts'
import type { SavedViewTable } from '../tables/accounts.ts'

export type SavedView = Pick<SavedViewTable, 'screen' | 'name' | 'search'>

export interface SavedViewOwner {
  readonly companyId: CompanyId
  readonly userId: number
}

/** All views of a user, by screen and name. */
export function listSavedViews(reader: Reader, owner: SavedViewOwner): Awaitable<SavedView[]> {
  return reader.all(listStatement, { ...owner })
}

/** Replaces a view of the same name. */
export async function saveView(writer: Writer, owner: SavedViewOwner, view: SavedView): Promise<void> {
  await deleteView(writer, owner, view)
  await writer.run(insertStatement, { ...owner, ...view })
}

export function deleteView(
  writer: Writer,
  owner: SavedViewOwner,
  { screen, name }: Pick<SavedView, 'screen' | 'name'>,
): Awaitable<void> {
  return writer.run(deleteStatement, { ...owner, screen, name })
}

/** Deletes the views of a user in every company, because their names may be personal data. */
export function deleteUserViews(writer: Writer, userId: number): Awaitable<void> {
  return writer.run(deleteAllStatement, { userId })
}

const listStatement = statement<SavedView>(({ db, value }) =>
  db
    .selectFrom('savedView')
    .select(['screen', 'name', 'search'])
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId'))
    .orderBy('screen')
    .orderBy('name'),
)

const insertStatement = statement(({ db, values }) =>
  db.insertInto('savedView').values(values('companyId', 'userId', 'screen', 'name', 'search')),
)

const deleteStatement = statement(({ db, value }) =>
  db
    .deleteFrom('savedView')
    .where('companyId', '=', value('companyId'))
    .where('userId', '=', value('userId'))
    .where('screen', '=', value('screen'))
    .where('name', '=', value('name')),
)

const deleteAllStatement = crossCompanyStatement(({ db, value }) =>
  db.deleteFrom('savedView').where('userId', '=', value('userId')),
)
