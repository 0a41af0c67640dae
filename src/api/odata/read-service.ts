// Service document and `$metadata` (OData 4.01 part 1, 11.1).
import { createHash } from 'node:crypto'
import { responseFormat, requireSchemaVersion, requestedFormat, schemaVersion } from './response.ts'
import { authorizedHandler, parametersOf, type Handler } from '../operation.ts'
import type { Method, Reply, Request } from '../../http/request.ts'
import { routes, serviceRoots } from '../routes.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { exportable } from '../../model/transaction.ts'
import { transformationNames } from '../../engine/odata/options/apply.ts'
import { levelsMax } from '../../engine/odata/options/select-expand.ts'
import { canonicalFunctions } from '../../engine/odata/expressions/functions.ts'
import { supportedFunctions } from '../../engine/planner/expressions/bind-value.ts'
import { tracksDeletions } from '../../store/delta.ts'
import type { ServiceCapabilities } from '../../engine/formats/csdl/capabilities.ts'
import { matchesEtag } from '../../engine/model/etag.ts'
import type { Schema } from '../../engine/model/schema.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { serviceDocument } from '../../engine/formats/write/envelope.ts'
import { csdlJson } from '../../engine/formats/csdl/csdl-json.ts'
import { csdlXml } from '../../engine/formats/csdl/csdl-xml.ts'
import { describeSchema } from '../../engine/formats/csdl/describe-schema.ts'
import { negotiateSchemaFormat } from '../../engine/formats/negotiation/odata-format.ts'

/** The service document: the names and URLs of the sets. */
export function serviceDocumentHandler(schema: Schema): Handler {
  return documentHandler((request, query) => {
    const { recordFormat, headers } = responseFormat(request, query)
    return { headers, body: serviceDocument(recordFormat, schema) }
  })
}

/** `$metadata`: the schema as CSDL, serialized once at start. */
export function metadataHandler(schema: Schema): Handler {
  const { namespace } = schema
  const described = describeSchema(schema, capabilities)
  const bodies = {
    xml: { '4.0': csdlXml(namespace, described, '4.0'), '4.01': csdlXml(namespace, described, '4.01') },
    json: { '4.0': csdlJson(namespace, described, '4.0'), '4.01': csdlJson(namespace, described, '4.01') },
  }
  return documentHandler((request, query) => {
    requireSchemaVersion(query)
    const requested = requestedFormat(request, query)
    const format = negotiateSchemaFormat(requested)
    const headers = { 'Content-Type': `application/${format}`, 'Cache-Control': 'no-cache', Vary: 'Accept' }
    return { headers, body: bodies[format][requested.version] }
  })
}

/** A document with an ETag, for callers with any scope. */
function documentHandler(
  createDocument: (request: Request, query: Query) => Pick<Reply, 'headers'> & { readonly body: string },
): Handler {
  return authorizedHandler({ scope: null, parameters }, async ({ request, authorized }) => {
    const { headers, body } = createDocument(request, authorized.query)
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const knownEtag = request.header('if-none-match')
    const isKnown = knownEtag !== undefined && matchesEtag(knownEtag, etag)
    return { status: isKnown ? 304 : 200, headers: { ...headers, ETag: etag }, body: isKnown ? null : body }
  })
}

const parameters = parametersOf(['$format', '$schemaversion'])

const capabilities: ServiceCapabilities = {
  schemaVersion,
  filterFunctions: supportedFunctions.filter((name) => canonicalFunctions.has(name)),
  expandLevelsMax: levelsMax,
  transformationsOf: (resource) => (resource === exportable ? [] : transformationNames),
  writeCapabilitiesOf: ({ wire }: Resource) => ({
    insertable: isRoute('POST', wire),
    updateMethods: updateMethods.filter((method) => isRoute(method, `${wire}(:id)`)),
    deletable: isRoute('DELETE', `${wire}(:id)`),
  }),
  tracksChanges: tracksDeletions,
}

const updateMethods = ['PATCH', 'PUT'] as const

/** Paths are compared without letter case. */
function isRoute(method: Method, path: string): boolean {
  const paths = serviceRoots.map((root) => `/${root}/${path}`.toLowerCase())
  return routes.some((one) => one.method === method && paths.includes(one.path.toLowerCase()))
}
