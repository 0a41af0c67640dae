// Service document and `$metadata` (OData 4.01 part 1, 11.1).
import { createHash } from 'node:crypto'
import { capabilities } from './capabilities.ts'
import { answering, requireSchemaVersion, wantedOf } from './response.ts'
import { admit, parametersOf, type Handler } from '../operation.ts'
import type { Reply, Request } from '../../http/request.ts'
import { isNamed } from '../../engine/model/etag.ts'
import type { Schema } from '../../engine/model/schema.ts'
import type { Query } from '../../engine/odata/options/query.ts'
import { serviceDocument } from '../../engine/formats/write/envelope.ts'
import { csdlJson } from '../../engine/formats/csdl/csdl-json.ts'
import { csdlXml } from '../../engine/formats/csdl/csdl-xml.ts'
import { describeSchema } from '../../engine/formats/csdl/describe-schema.ts'
import { schemaFormat } from '../../engine/formats/negotiation/odata-format.ts'

/** The service document: the names and URLs of the sets. */
export function readsService(schema: Schema): Handler {
  return tells((request, query) => {
    const { form, headers } = answering(request, query)
    return { headers, body: serviceDocument(form, schema) }
  })
}

/** `$metadata`: the schema as CSDL, serialized once at start. */
export function readsMetadata(schema: Schema): Handler {
  const described = describeSchema(schema, capabilities)
  const bodies = {
    xml: { '4.0': csdlXml(described, '4.0'), '4.01': csdlXml(described, '4.01') },
    json: { '4.0': csdlJson(described, '4.0'), '4.01': csdlJson(described, '4.01') },
  }
  return tells((request, query) => {
    requireSchemaVersion(query)
    const wanted = wantedOf(request, query)
    const format = schemaFormat(wanted)
    const headers = {
      'Content-Type': `application/${format}`,
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    }
    return { headers, body: bodies[format][wanted.version] }
  })
}

interface Told extends Pick<Reply, 'headers'> {
  readonly body: string
}

/** A document with an ETag, for callers with any scope. */
function tells(tell: (request: Request, query: Query) => Told): Handler {
  return async (request, serving): Promise<Reply> => {
    const { caller, query, headers } = await admit(request, serving, { scope: null, parameters })
    const { companyId, credentialId } = caller
    const about = { companyId, credentialId }
    const told = tell(request, query)
    const etag = etagOfText(told.body)
    const known = request.header('if-none-match')
    if (known !== undefined && isNamed(known, etag))
      return {
        status: 304,
        headers: { ...headers, ...told.headers, ETag: etag },
        body: null,
        about,
      }
    return {
      status: 200,
      headers: { ...headers, ...told.headers, ETag: etag },
      body: told.body,
      about,
    }
  }
}

function etagOfText(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

const parameters = parametersOf(['$format', '$schemaversion'])
