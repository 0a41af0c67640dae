// The sets that the user may read, with fields and relations, for the explorer.
import { json, type Asked } from '../route.ts'
import type { Reply } from '../../http/request.ts'
import { dagsverk } from '../../model/service-schema.ts'
import { department, employee, project } from '../../model/directory.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { revenue } from '../../model/revenue.ts'
import { relationsOf } from '../../engine/model/schema.ts'

/** Whether the resource has a `Finn` operation, the only read that supports XML. */
export function printsAsXml(resource: Resource): boolean {
  return found.has(resource)
}

const found: ReadonlySet<Resource> = new Set<Resource>([revenue, employee, department, project])

/** Declared names; fields that the user may not read are left out. */
export async function setNames({ visitor }: Asked): Promise<Reply> {
  const rights: ReadonlySet<string> = visitor.caller.scopes
  const isOpen = ({ right }: Resource) => rights.has(right)
  const sets = dagsverk.resources.filter(isOpen).map((resource) => ({
    name: resource.wire,
    fields: Object.values(resource.fields)
      .filter(
        ({ right, within }) => within === undefined && (right === undefined || rights.has(right)),
      )
      .map(({ wire, type }) => ({ name: wire, type: typeof type === 'string' ? type : 'text' })),
    relations: relationsOf(dagsverk, resource)
      .filter(({ to }) => isOpen(to))
      .map(({ wire }) => wire),
    hasXml: printsAsXml(resource),
  }))
  return json({ sets })
}
