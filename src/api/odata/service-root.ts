// OData service roots: handlers of paths that are not in the route table (OData 4.01 part 2, 4).
import { resolvePath, serviceRootOf, parseSegments } from './resource-url.ts'
import type { Handler } from '../operation.ts'
import { resourceHandler, entityIdHandler } from './read-resource.ts'
import { allHandler } from './read-all.ts'
import { metadataHandler, serviceDocumentHandler } from './read-service.ts'
import type { Schema } from '../../engine/model/schema.ts'

/** A model, and the service roots that each serve all its sets. */
export interface ODataService {
  readonly schema: Schema
  /** In lower case. */
  readonly roots: readonly string[]
}

/** Returns a function from path to handler; null for a path that is not below one of the roots, or does not resolve. */
export function createServiceResolver({ schema, roots }: ODataService): (path: string) => Handler | null {
  const [service, metadata] = [serviceDocumentHandler(schema), metadataHandler(schema)]
  const [entityId, all] = [entityIdHandler(schema), allHandler(schema)]
  return (path) => {
    if (!roots.includes(serviceRootOf(path).toLowerCase())) return null
    const [first, ...others] = parseSegments(path)
    if (first === undefined) return service
    if (first.kind === '$metadata') return metadata
    if (first.kind === '$entity') return entityId
    if (first.kind === '$all' && others.length === 0) return all
    const resolved = resolvePath(schema, path)
    return resolved === null ? null : resourceHandler(schema, resolved)
  }
}
