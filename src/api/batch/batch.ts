// OData batch requests: the handler of `$batch`.
import { randomUUID } from 'node:crypto'
import { runBatch, type BatchServer } from './run-batch.ts'
import { admit, writeParametersOf, type Handler } from '../operation.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'
import { preferencePrefix } from '../../engine/planner/select/record-form.ts'
import {
  jsonForm,
  multipartForm,
  type BatchForm,
} from '../../engine/formats/batch/batch-response.ts'
import type { BatchRequest } from '../../engine/formats/batch/batch-request.ts'
import { readBatchJson } from '../../engine/formats/batch/read-batch-json.ts'
import { boundaryOf, readMultipart } from '../../engine/formats/batch/read-multipart.ts'
import { bodyText } from '../../engine/formats/read/body-text.ts'
import { jsonFormFor } from '../../engine/formats/negotiation/odata-format.ts'
import { versionFor, type ODataVersion } from '../../engine/formats/negotiation/odata-version.ts'
import { readPreferences } from '../../engine/formats/negotiation/preferences.ts'

/** Runs the requests while the response is streamed: when the caller disconnects, the remaining ones are not run. */
export function handlesBatch(server: BatchServer): Handler {
  return async (request, serving) => {
    const { caller, headers } = await admit(request, serving, { scope: null, parameters })
    if (request.header('idempotency-key') !== undefined)
      throw new Fault('NotSupported', {
        target: 'header:Idempotency-Key',
        says: { feature: phrase('keyOfBatch') },
      })
    const version = versionFor(request.header('odata-maxversion'))
    const { requests, isJson } = readBatch(request, await request.body())
    const wish = readPreferences(request.header('prefer')).get('continue-on-error')
    const goesOn = wish === undefined ? isJson : wish.toLowerCase() !== 'false'
    const form = formOf(request, isJson, version)
    const pieces = form.pieces(
      runBatch({ outer: request, requests, caller, serving, goesOn }, server),
    )
    const { companyId, credentialId } = caller
    return {
      status: 200,
      headers: {
        ...headers,
        'Content-Type': form.contentType,
        'Cache-Control': 'no-cache',
        Vary: 'Accept, Prefer',
        ...(wish === undefined
          ? {}
          : {
              'Preference-Applied': `${preferencePrefix({ version })}continue-on-error=${goesOn}`,
            }),
      },
      body: pieces,
      about: { companyId, credentialId },
    }
  }
}

/** HEAD: some clients probe for batch support. */
export const findsBatch: Handler = async (request, serving) => {
  const { caller, headers } = await admit(request, serving, { scope: null, parameters })
  const { companyId, credentialId } = caller
  return { status: 200, headers, body: null, about: { companyId, credentialId } }
}

const parameters = writeParametersOf([])

function readBatch(
  request: Request,
  body: Buffer,
): { readonly requests: readonly BatchRequest[]; readonly isJson: boolean } {
  const type = request.header('content-type')
  const boundary = boundaryOf(type)
  if (boundary !== null) return { requests: readMultipart(body, boundary), isJson: false }
  if (/^\s*application\/json\s*(;|$)/i.test(type ?? ''))
    return { requests: readBatchJson(bodyText(body)), isJson: true }
  const allowed = 'multipart/mixed with a boundary, application/json'
  throw new Fault('UnsupportedMediaType', {
    target: 'header:Content-Type',
    says: { type: type?.slice(0, 100) ?? phrase('none'), allowed },
    headers: { 'Accept-Post': 'multipart/mixed, application/json' },
  })
}

/** The format of the request, unless the version is 4.01 and `Accept` names only the other format. */
function formOf(request: Request, isJson: boolean, version: ODataVersion): BatchForm {
  const accept = request.header('accept') ?? ''
  const wantsMultipart = /multipart\/mixed/i.test(accept)
  const wantsJson = /application\/json/i.test(accept)
  const isOther = isJson ? wantsMultipart && !wantsJson : wantsJson && !wantsMultipart
  if (isJson !== (isOther && version !== '4.0'))
    return jsonForm(jsonFormFor({ accept: undefined, format: undefined, version }).contentType)
  return multipartForm(randomUUID())
}
