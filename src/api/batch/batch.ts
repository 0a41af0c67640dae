// OData batch requests: the handler of `$batch`.
import { randomUUID } from 'node:crypto'
import { runBatchRequests, type BatchServer } from './run-batch.ts'
import { authorizedHandler, receiveBody, writeParametersOf, type Handler } from '../operation.ts'
import { notSupportedError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { preferencePrefix, type ODataVersion } from '../../engine/planner/record-format.ts'
import { jsonBatchFormat, multipartFormat, type BatchFormat } from '../../engine/formats/batch/batch-response.ts'
import type { BatchLimits, BatchRequest } from '../../engine/formats/batch/batch-request.ts'
import { parseBatchJson } from '../../engine/formats/batch/read-batch-json.ts'
import { multipartBoundary, parseMultipart } from '../../engine/formats/batch/read-multipart.ts'
import { negotiateJsonFormat } from '../../engine/formats/negotiation/odata-format.ts'
import { mediaTypeError } from '../../engine/formats/negotiation/media-type.ts'
import { negotiateVersion } from '../../engine/formats/negotiation/odata-version.ts'
import { parsePreferences } from '../../engine/formats/negotiation/preferences.ts'

const parameters = writeParametersOf([])

/** Runs the requests while the response is streamed: when the caller disconnects, the remaining ones are not run. */
export function batchHandler(server: BatchServer): Handler {
  return authorizedHandler({ scope: null, parameters }, async ({ request, api, authorized }) => {
    if (request.header('idempotency-key') !== undefined) throw notSupportedError('keyOfBatch', 'header:Idempotency-Key')
    const version = negotiateVersion(request.header('odata-maxversion'))
    const { body, caller } = await receiveBody(request, api, { caller: authorized.caller, scope: null })
    const { requests, isJson } = await parseBatch(request, body, server.limits)
    const preference = parsePreferences(request.header('prefer')).get('continue-on-error')
    const continuesOnError = preference === undefined ? isJson : preference.toLowerCase() !== 'false'
    const form = responseFormOf(request, isJson, version)
    const chunks = form.serialize(
      runBatchRequests({ outer: request, requests, caller, api, continuesOnError, isMultipart: !isJson }, server),
    )
    return {
      status: 200,
      headers: {
        'Content-Type': form.contentType,
        'Cache-Control': 'no-cache',
        Vary: 'Accept, Prefer',
        ...(preference === undefined
          ? {}
          : { 'Preference-Applied': `${preferencePrefix({ version })}continue-on-error=${continuesOnError}` }),
      },
      body: chunks,
      heldBytes: partBytes,
    }
  })
}

/** The reply to one request, which is sent before the next one runs. A long page has more. */
const partBytes = 1024 * 1024

/** HEAD: some clients probe for batch support. */
export const probeBatch = authorizedHandler({ scope: null, parameters }, async () => ({
  status: 200,
  headers: {},
  body: null,
}))

async function parseBatch(
  request: Request,
  body: Buffer,
  limits: BatchLimits,
): Promise<{ readonly requests: readonly BatchRequest[]; readonly isJson: boolean }> {
  const type = request.header('content-type')
  const boundary = multipartBoundary(type)
  if (boundary !== null) return { requests: parseMultipart(body, boundary, limits), isJson: false }
  if (/^\s*(?:application|text)\/json\s*(;|$)/i.test(type ?? ''))
    return { requests: await parseBatchJson(body, limits), isJson: true }
  throw mediaTypeError(type, 'multipart/mixed; boundary=…, application/json')
}

/** The format of the request, unless the version is 4.01 and `Accept` names only the other format. */
function responseFormOf(request: Request, isJson: boolean, version: ODataVersion): BatchFormat {
  const accept = request.header('accept') ?? ''
  const wantsMultipart = /multipart\/mixed/i.test(accept)
  const wantsJson = /application\/json/i.test(accept)
  const usesOtherFormat = isJson ? wantsMultipart && !wantsJson : wantsJson && !wantsMultipart
  if (isJson !== (usesOtherFormat && version !== '4.0'))
    return jsonBatchFormat(negotiateJsonFormat({ accept: undefined, format: undefined, version }).contentType)
  return multipartFormat(randomUUID())
}
