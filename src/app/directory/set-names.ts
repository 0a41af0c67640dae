// What the explorer offers to click on: the sets that a visitor may read, with their fields and relations.
import { json, type Asked } from '../route.ts'
import type { Reply } from '../../http/request.ts'
import { dagsverk } from '../../model/service-schema.ts'
import { department, employee, project } from '../../model/directory.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { revenue } from '../../model/revenue.ts'
import { relationsOf } from '../../engine/model/schema.ts'

/** Whether the interface has a `Finn` of it, the only read that is printed as XML too. */
export function printsAsXml(resource: Resource): boolean {
  return found.has(resource)
}

const found: ReadonlySet<Resource> = new Set<Resource>([revenue, employee, department, project])

/** Names as the schema declares them; a field is left out where naming it would be refused. */
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
