// The sets that the user may read, with fields and relations, for the explorer.
import type { SetDescription } from '../contract/directory.ts'
import type { AppRequest } from '../route.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { SessionUser } from '../../auth/sessions/sessions.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { department, employee, project } from '../../model/directory.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { revenue } from '../../model/revenue.ts'
import { relationsOf } from '../../engine/model/schema.ts'

/** Those that have a `Finn` operation, the only read that supports XML. */
export const resourcesWithXml: ReadonlySet<Resource> = new Set<Resource>([revenue, employee, department, project])

/**
 * The scopes for related records. Only the set of transactions can be restricted to departments, so an approver of some
 * departments cannot read transactions through relations (ADR 0039).
 */
export function relatedScopes({ caller, departments }: SessionUser): ReadonlySet<string> {
  const scopes = new Set<string>(caller.scopes)
  if (departments !== null) scopes.delete(materialScope)
  return scopes
}

export const materialScope: Scope = 'material:read'

/** Declared names; fields that the user may not read are left out. */
export async function getSetNames({ sessionUser }: AppRequest): Promise<{ sets: SetDescription[] }> {
  const grantedScopes: ReadonlySet<string> = sessionUser.caller.scopes
  const scopesOfRelated = relatedScopes(sessionUser)
  const isOpen = ({ readScope }: Resource) => grantedScopes.has(readScope)
  const sets = serviceSchema.resources.filter(isOpen).map((resource) => ({
    name: resource.wire,
    fields: Object.values(resource.fields)
      .filter(
        ({ readScope, within }) => within === undefined && (readScope === undefined || grantedScopes.has(readScope)),
      )
      .map(({ wire, type }) => ({ name: wire, type: typeof type === 'string' ? type : 'text' })),
    relations: relationsOf(serviceSchema, resource)
      .filter(({ to }) => scopesOfRelated.has(to.readScope))
      .map(({ wire }) => wire),
    hasXml: resourcesWithXml.has(resource),
  }))
  return { sets }
}
