// Error body: an `ApiError` as JSON, XML or RFC 9457, with the same content (ADR 0006).
import type { ApiError, ErrorDetail } from '../../../errors/api-error.ts'
import { errorMessage, type ErrorCode } from '../../../errors/catalog.ts'
import type { Language } from '../../../errors/messages.ts'
import type { ErrorFormat } from '../negotiation/negotiate.ts'
import { serializeItemResults } from './item-results.ts'
import type { SerializedText } from './long-list.ts'
import { xmlContainer, xmlDeclaration, xmlElements, xsi } from '../xml/xml-text.ts'

export interface ErrorBodyOptions {
  readonly format: ErrorFormat
  readonly language: Language
  readonly requestId: string
}

/** Without the results of elements. */
export function serializeError(error: ApiError, options: ErrorBodyOptions): { contentType: string; body: string } {
  const { start, end } = errorFrame(error, options)
  return { contentType: contentTypes[options.format], body: start + end }
}

/** With the results of elements, in turns of the event loop. */
export async function serializeErrorInTurns(error: ApiError, options: ErrorBodyOptions): Promise<SerializedText> {
  const { start, end } = errorFrame(error, options)
  const { results } = error
  if (results === null) return start + end
  return options.format === 'xml'
    ? serializeItemResults(results, 'xml', { start, end })
    : serializeItemResults(results, 'json', { start: `${start},`, end })
}

const contentTypes: Readonly<Record<ErrorFormat, string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  problem: 'application/problem+json',
}

/** What is before and after the results. */
function errorFrame(error: ApiError, { format, language, requestId }: ErrorBodyOptions) {
  const content = toErrorBody(error, language, requestId)
  if (format === 'xml') return { start: errorXml(content, error.results === null ? '' : xsi), end: '</error>' }
  return format === 'json'
    ? { start: `{"error":${JSON.stringify(content).slice(0, -1)}`, end: '}}' }
    : { start: problemJson(content, error.status).slice(0, -1), end: '}' }
}

type ErrorBody = ReturnType<typeof toErrorBody>

/** Empty members are omitted. */
function toErrorBody(error: ApiError, language: Language, requestId: string) {
  return {
    ...toErrorBodyDetail({ ...error.toDetail(), params: error.params }, language),
    ...(error.details.length === 0
      ? {}
      : { details: error.details.map((detail) => toErrorBodyDetail(detail, language)), problems: error.problems }),
    requestId,
    outcome: error.outcome,
  }
}

function toErrorBodyDetail({ code, params, target, existing }: ErrorDetail, language: Language) {
  return {
    code,
    message: errorMessage(code, params, language),
    ...(target === null ? {} : { target }),
    ...(existing === undefined ? {} : { existing }),
  }
}

function errorXml({ details, ...rest }: ErrorBody, namespaces: string): string {
  const listed = details?.map((one) => xmlContainer('detail', xmlElements(Object.entries(one)))).join('') ?? ''
  return `${xmlDeclaration}<error${namespaces}>${xmlElements(Object.entries(rest))}${listed && xmlContainer('details', listed)}`
}

function problemJson({ message, requestId, ...rest }: ErrorBody, status: number): string {
  return JSON.stringify({
    type: `/docs/errors#${rest.code}`,
    title: titleOf(rest.code),
    status,
    detail: message,
    instance: `urn:request:${requestId}`,
    ...rest,
  })
}

/** `InvalidDate` gets the title "Invalid date". */
function titleOf(code: ErrorCode): string {
  return code.charAt(0) + code.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
