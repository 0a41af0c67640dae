// OData service roots: handlers of paths that are not in the route table (OData 4.01 part 2, 4).
import { addressOf, rootOf, segmentsOf } from './resource-url.ts'
import type { Handler } from '../operation.ts'
import { readsAddress, readsIdentified } from './read-resource.ts'
import { readsAll } from './read-all.ts'
import { readsMetadata, readsService } from './read-service.ts'
import type { Schema } from '../../engine/model/schema.ts'

/** A model, and the service roots that each serve all its sets. */
export interface Service {
  readonly schema: Schema
  /** In lower case. */
  readonly roots: readonly string[]
}

/** Returns a function from path to handler; null for a path that is not below one of the roots, or does not resolve. */
export function serviceOf({ schema, roots }: Service): (path: string) => Handler | null {
  const [service, metadata] = [readsService(schema), readsMetadata(schema)]
  const [identified, all] = [readsIdentified(schema), readsAll(schema)]
  return (path) => {
    if (!roots.includes(rootOf(path).toLowerCase())) return null
    const [first, ...others] = segmentsOf(path)
    if (first === undefined) return service
    if (first.kind === '$metadata') return metadata
    if (first.kind === '$entity') return identified
    if (first.kind === '$all' && others.length === 0) return all
    const address = addressOf(schema, path)
    return address === null ? null : readsAddress(schema, address)
  }
}
