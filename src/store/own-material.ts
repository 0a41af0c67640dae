// Material as the one who registers it sees it: own lines, and items that were used before.
import { sql } from 'kysely'
import type { CompanyId } from '#model/resource.ts'
import type { QueueRow } from '#store/material-rows.ts'
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader } from '#store/store.ts'
import type { MaterialTable } from '#store/tables.ts'

export type OwnRow = Pick<
  QueueRow,
  | 'id'
  | 'date'
  | 'departmentId'
  | 'projectId'
  | 'projectName'
  | 'itemId'
  | 'itemName'
  | 'quantity'
  | 'unit'
  | 'remark'
  | 'state'
  | 'rejectionReason'
  | 'decidedBy'
>

/** The latest two hundred that this actor registered, the newest first. */
export const ownRows = (reader: Reader, companyId: CompanyId, actor: string): Awaitable<OwnRow[]> =>
  reader.all(ownStatement, { companyId, actor })

export type UsedItem = Pick<MaterialTable, 'itemId' | 'itemName' | 'unit' | 'salesPrice'>

/** The items of the company's latest two thousand lines, the most recently used first. */
export const usedItems = (reader: Reader, companyId: CompanyId): Awaitable<UsedItem[]> =>
  reader.all(itemStatement, { companyId })

const ownStatement = statement<OwnRow>(
  ({ value }) => sql`
    select material.id, material.date, material."departmentId", material."projectId",
      project.name as "projectName", material."itemId", material."itemName", material.quantity,
      material.unit, material.remark, material.state, material."rejectionReason", material."decidedBy"
    from material
    left join project on project."companyId" = material."companyId" and project.id = material."projectId"
    where material."companyId" = ${value('companyId')} and material."registeredBy" = ${value('actor')}
    order by material.id desc limit 200`,
)

const itemStatement = statement<UsedItem>(
  ({ value }) => sql`
    select recent."itemId", recent."itemName", recent.unit, max(recent."salesPrice") as "salesPrice" from (
      select material.id, material."itemId", material."itemName", material.unit, material."salesPrice"
      from material where material."companyId" = ${value('companyId')}
      order by material.id desc limit 2000
    ) as recent
    group by recent."itemId", recent."itemName", recent.unit
    order by max(recent.id) desc limit 300`,
)
