// Views of a screen that a person keeps under a name, in one company.
import type { CompanyId } from '#model/resource.ts'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type { SavedViewTable } from '#store/tables/accounts.ts'

export type SavedView = Pick<SavedViewTable, 'screen' | 'name' | 'search'>

export interface Owner {
  readonly companyId: CompanyId
  readonly userId: number
}

/** All of a person, by screen and name. */
export const savedViews = (reader: Reader, owner: Owner): Awaitable<SavedView[]> =>
  reader.all(viewsStatement, { ...owner })

/** In the place of the one that has this name. */
export const saveView = async (writer: Writer, owner: Owner, view: SavedView): Promise<void> => {
  await deleteView(writer, owner, view)
  await writer.run(insertStatement, { ...owner, ...view })
}

export const deleteView = (
  writer: Writer,
  owner: Owner,
  { screen, name }: Pick<SavedView, 'screen' | 'name'>,
): Awaitable<void> => writer.run(deleteStatement, { ...owner, screen, name })

/** In every company: what somebody called their views tells of them. */
export const deleteViewsOf = (writer: Writer, userId: number): Awaitable<void> =>
  writer.run(deleteAllStatement, { userId })

const viewsStatement = statement<SavedView>(({ db, value }) =>
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

const deleteAllStatement = statement(({ db, value }) =>
  db.deleteFrom('savedView').where('userId', '=', value('userId')),
)
