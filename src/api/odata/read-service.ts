// Service document and `$metadata` (OData 4.01 part 1, 11.1).
import { createHash } from 'node:crypto'
import { capabilities } from './capabilities.ts'
import { responseFormat, requireSchemaVersion, requestedFormat } from './response.ts'
import { authorize, parametersOf, type Handler } from '../operation.ts'
import type { Reply, Request } from '../../http/request.ts'
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
  const described = describeSchema(schema, capabilities)
  const bodies = {
    xml: { '4.0': csdlXml(described, '4.0'), '4.01': csdlXml(described, '4.01') },
    json: { '4.0': csdlJson(described, '4.0'), '4.01': csdlJson(described, '4.01') },
  }
  return documentHandler((request, query) => {
    requireSchemaVersion(query)
    const requested = requestedFormat(request, query)
    const format = negotiateSchemaFormat(requested)
    const headers = { 'Content-Type': `application/${format}`, 'Cache-Control': 'no-cache', Vary: 'Accept' }
    return { headers, body: bodies[format][requested.version] }
  })
}

interface DocumentReply extends Pick<Reply, 'headers'> {
  readonly body: string
}

/** A document with an ETag, for callers with any scope. */
function documentHandler(createDocument: (request: Request, query: Query) => DocumentReply): Handler {
  return async (request, api): Promise<Reply> => {
    const authorized = await authorize(request, api, { scope: null, parameters })
    const { headers, body } = createDocument(request, authorized.query)
    const etag = etagOfText(body)
    const knownEtag = request.header('if-none-match')
    const isKnown = knownEtag !== undefined && matchesEtag(knownEtag, etag)
    return {
      status: isKnown ? 304 : 200,
      headers: { ...authorized.headers, ...headers, ETag: etag },
      body: isKnown ? null : body,
      logContext: authorized.logContext,
    }
  }
}

function etagOfText(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

const parameters = parametersOf(['$format', '$schemaversion'])
