// Error body: an `ApiError` as JSON, XML or RFC 9457, with the same content (ADR 0006).
import type { ApiError, RequestOutcome } from '../../../errors/api-error.ts'
import { errorMessage, type ErrorCode } from '../../../errors/catalog.ts'
import type { Language } from '../../../errors/messages.ts'
import type { ErrorFormat } from '../negotiation/negotiate.ts'
import { itemResultsJson, itemResultsXml } from './item-results.ts'
import { xmlContainer, xmlDeclaration, xmlElements, xsi } from '../xml/xml-text.ts'

export interface ErrorBodyOptions {
  readonly format: ErrorFormat
  readonly language: Language
  readonly requestId: string
}

export function serializeError(
  error: ApiError,
  { format, language, requestId }: ErrorBodyOptions,
): { contentType: string; body: string } {
  const content = toErrorBody(error, language, requestId)
  const { results } = error
  if (format === 'xml') {
    const listed = results === null ? '' : itemResultsXml(results)
    return { contentType: 'application/xml; charset=utf-8', body: errorXml(content, listed) }
  }
  const listed = results === null ? '' : `,${itemResultsJson(results)}`
  if (format === 'json') {
    const body = `{"error":${JSON.stringify(content).slice(0, -1)}${listed}}}`
    return { contentType: 'application/json; charset=utf-8', body }
  }
  const body = `${problemJson(content, error.status).slice(0, -1)}${listed}}`
  return { contentType: 'application/problem+json', body }
}

interface ErrorBodyDetail {
  readonly code: ErrorCode
  readonly message: string
  readonly target?: string
  readonly existing?: number
}

/** Empty members are omitted. */
interface ErrorBody extends ErrorBodyDetail {
  readonly details?: readonly ErrorBodyDetail[]
  readonly problems?: number
  readonly requestId: string
  readonly outcome: RequestOutcome
}

function toErrorBody(error: ApiError, language: Language, requestId: string): ErrorBody {
  return {
    ...toErrorBodyDetail({ ...error.toDetail(), params: error.params }, language),
    ...(error.details.length === 0
      ? {}
      : { details: error.details.map((detail) => toErrorBodyDetail(detail, language)), problems: error.problems }),
    requestId,
    outcome: error.outcome,
  }
}

function toErrorBodyDetail(
  { code, params, target, existing }: ReturnType<ApiError['toDetail']>,
  language: Language,
): ErrorBodyDetail {
  return {
    code,
    message: errorMessage(code, params, language),
    ...(target === null ? {} : { target }),
    ...(existing === undefined ? {} : { existing }),
  }
}

function errorXml({ details, ...rest }: ErrorBody, results: string): string {
  const listed = details?.map((one) => xmlContainer('detail', xmlElements(Object.entries(one)))).join('') ?? ''
  return `${xmlDeclaration}<error${results && xsi}>${xmlElements(Object.entries(rest))}${listed && xmlContainer('details', listed)}${results}</error>`
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
