// Own material: the lines that a person registered, and recently used items.
import { rowsQuery } from '../queries.ts'
import { sql, type RawBuilder } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { UsedItem } from './items.ts'
import type { NamedMaterial } from './material-rows.ts'
import { joinEach, statement, type Build } from '../statement.ts'
import type { Reader } from '../store.ts'

export type OwnMaterialRow = Pick<
  NamedMaterial,
  | 'id'
  | 'date'
  | 'departmentId'
  | 'projectId'
  | 'projectName'
  | 'itemId'
  | 'itemName'
  | 'quantity'
  | 'unit'
  | 'salesPrice'
  | 'remark'
  | 'state'
  | 'rejectionReason'
  | 'decidedBy'
>

/** The latest 200 lines that this actor registered, the newest first. */
export const listOwnMaterial = rowsQuery<{ companyId: CompanyId; actor: string }, OwnMaterialRow>(
  ({ value }) => sql`
    select material.id, material.date, material."departmentId", material."projectId",
      project.name as "projectName", material."itemId", material."itemName", material.quantity,
      material.unit, material."salesPrice", material.remark, material.state, material."rejectionReason", material."decidedBy"
    from material
    left join project on project."companyId" = material."companyId" and project.id = material."projectId"
    where material."companyId" = ${value('companyId')} and material."registeredBy" = ${value('actor')}
    order by material.id desc limit 200`,
)

/** The items that were recently used by this actor, in this department, and in the company; the most recent first. */
export async function listRecentItems(
  reader: Reader,
  companyId: CompanyId,
  { actor, department }: { readonly actor: string; readonly department: string | null },
): Promise<Record<'own' | 'department' | 'company', UsedItem[]>> {
  return {
    own: await reader.all(itemsByActor, { companyId, actor }),
    department: department === null ? [] : await reader.all(itemsByDepartment, { companyId, department }),
    company: await reader.all(itemsByCompany, { companyId }),
  }
}

/** The items of the latest lines of a condition, which an index serves. */
function itemsOf(condition: (build: Build) => RawBuilder<unknown>) {
  return statement<UsedItem>((build) => {
    const item = sql`item."companyId" = ${build.value('companyId')}
      and item."itemName" = used."itemName" and item."itemId" = used."itemId"`
    return sql`
      select nullif(item."itemId", '') as "itemId", nullif(item."itemName", '') as "itemName", item.unit,
        item."salesPrice"
      from (
        select coalesce(recent."itemName", '') as "itemName", coalesce(recent."itemId", '') as "itemId",
          max(recent.id) as latest
        from (
          select material.id, material."itemId", material."itemName" from material
          where material."companyId" = ${build.value('companyId')} ${condition(build)}
          order by material.id desc limit 1000
        ) as recent
        group by recent."itemName", recent."itemId" order by latest desc limit 100
      ) as used
      ${joinEach(build, 'item', item)}
      order by used.latest desc`
  })
}

const itemsByActor = itemsOf(({ value }) => sql`and material."registeredBy" = ${value('actor')}`)

const itemsByDepartment = itemsOf(
  ({ value }) => sql`and material."departmentId" = ${value('department')}
    and material."departmentId" is not null`,
)

const itemsByCompany = itemsOf(() => sql``)
