// What a service tells about itself: its sets, and their description (OData 4.01 part 1, 11.1).
import { createHash } from 'node:crypto'
import { admit, parametersOf, type Handler } from '#api/operation.ts'
import { rootOf } from '#api/odata-address.ts'
import type { Reply, Request } from '#http/request.ts'
import type { Schema } from '#model/schema.ts'
import { isNamed } from '#model/etag.ts'
import { serviceDocument } from '#wire/envelope.ts'
import { csdlXml } from '#wire/metadata.ts'
import { contentType, requireJson } from '#wire/odata-format.ts'

/** The service document: the names and addresses of the sets. */
export const readsService = (schema: Schema): Handler =>
  reads((request, format) => {
    requireJson(request.header('accept'), format)
    const body = serviceDocument(`${request.origin}/${rootOf(request.path)}`, schema)
    return { contentType, body }
  })

/** The schema as CSDL, in XML whatever is preferred: clients that ask for JSON first need it so. */
export const readsMetadata = (schema: Schema): Handler => {
  const body = csdlXml(schema)
  return reads(() => ({ contentType: 'application/xml', body }))
}

interface Told {
  readonly contentType: string
  readonly body: string
}

/** Whoever may call at all may ask. */
const reads =
  (tell: (request: Request, format: string | undefined) => Told): Handler =>
  async (request, serving): Promise<Reply> => {
    const { caller, query, headers } = await admit(request, serving, { scope: null, parameters })
    const { contentType, body } = tell(request, query.get('$format'))
    const { companyId, credentialId } = caller
    const about = { companyId, credentialId }
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const common = { ...headers, ...serviceHeaders, ETag: etag }
    const known = request.header('if-none-match')
    if (known !== undefined && isNamed(known, etag))
      return { status: 304, headers: common, body: null, about }
    return { status: 200, headers: { ...common, 'Content-Type': contentType }, body, about }
  }

const serviceHeaders = { 'Cache-Control': 'no-cache', 'OData-Version': '4.0' } as const

const parameters = parametersOf(['$format'], 'ignored')
