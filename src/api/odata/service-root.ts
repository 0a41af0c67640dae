// OData service roots: handlers of paths that are not in the route table (OData 4.01 part 2, 4).
import { resolvePath, serviceRootOf, parseSegments } from './resource-url.ts'
import { responseFormat } from './response.ts'
import { writeJsonBody } from './rows-body.ts'
import { authorizedHandler, parametersOf, type Handler } from '../operation.ts'
import { resourceHandler, entityIdHandler, planContextFor } from './read-resource.ts'
import { metadataHandler, serviceDocumentHandler } from './read-service.ts'
import type { Schema } from '../../engine/model/schema.ts'
import { allOptions, planAllSets } from '../../engine/planner/plan-read.ts'
import { envelopeStart, collectionEnd } from '../../engine/formats/write/envelope.ts'
import { jsonArraySerializer } from '../../engine/formats/write/row-serializer.ts'

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

/** `$all`: the records of every set that the caller may read, in one response (OData 4.01 part 2, 4.15). */
function allHandler(schema: Schema): Handler {
  return authorizedHandler({ scope: null, parameters }, async ({ request, api, authorized: { caller, query } }) => {
    const { recordFormat, headers } = responseFormat(request, query)
    const plan = planAllSets(query, planContextFor(schema, { request, caller, clock: api.clock, recordFormat }))
    const count = plan.count ? await api.store.count(plan, request) : null
    const context = `${recordFormat.root}/$metadata#Collection(Edm.EntityType)`
    const array = {
      ...jsonArraySerializer,
      start: `${envelopeStart(recordFormat, context, count)}[`,
      end: collectionEnd(recordFormat, null),
    }
    return { status: 200, headers, body: await writeJsonBody(await api.store.readJson(plan, request), array) }
  })
}

const parameters = parametersOf([...allOptions, '$format', '$schemaversion'])
