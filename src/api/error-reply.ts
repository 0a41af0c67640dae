// Error replies: turns any error into a reply in the caller's format and language.
import { errorPagePolicy, renderErrorPage } from './error-page.ts'
import { ApiError } from '../errors/api-error.ts'
import type { LogContext, Reply, Request } from '../http/request.ts'
import type { HttpServer } from '../http/server.ts'
import { negotiateErrorFormat, negotiateLanguage, prefersHtml } from '../engine/formats/negotiation/negotiate.ts'
import { serializeError, type ErrorBodyOptions } from '../engine/formats/write/error-body.ts'

/**
 * An HTML page when a browser requests a page and the error has one, otherwise an error body. Anything but a catalogued
 * error is a bug: the caller gets the request id, the log the cause.
 */
export function toErrorReply(error: unknown, request: Request, isBrowserPage = false): Reply {
  const apiError =
    error instanceof ApiError ? error : new ApiError('InternalError', { outcome: 'unknown', cause: error })
  const options = errorBodyOptions(request)
  const { language } = options
  const logContext = { ...callerFields(request, apiError), code: apiError.code, ...causeFields(apiError) }
  const page =
    isBrowserPage && prefersHtml(request.header('accept')) ? renderErrorPage(apiError.code, language) : undefined
  const { contentType, body } =
    page === undefined ? serializeError(apiError, options) : { contentType: 'text/html; charset=utf-8', body: page }
  return {
    status: apiError.status,
    headers: {
      'Content-Type': contentType,
      'Content-Language': language,
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Language',
      ...(page === undefined ? {} : { 'Content-Security-Policy': errorPagePolicy }),
      ...apiError.headers,
    },
    body: request.method === 'HEAD' ? null : body,
    logContext,
  }
}

/** Logs the reply to an error that is no HTTP reply of its own, in a batch or an import, if it is a server error. */
export function logServerError(log: HttpServer['log'], { status, logContext }: Reply, { id }: Request): void {
  if (status < 500 || logContext === undefined) return
  const { error, apiError: _, ...logged } = logContext
  // Only a bug has an error; what is not supported or not available is a warning, as in the log of replies.
  if (error === undefined) log.warn({ id, ...logged })
  else log.error({ id, ...logged, err: error })
}

/** Format and language that the caller accepts. */
export function errorBodyOptions(request: Request): ErrorBodyOptions {
  return {
    format: negotiateErrorFormat(request.header('accept'), request.header('content-type')),
    language: negotiateLanguage(request.header('accept-language')),
    requestId: request.id,
  }
}

function callerFields({ caller }: Request, { code, params, target, details }: ApiError): LogContext {
  return caller === undefined
    ? {}
    : { companyId: caller.companyId, credentialId: caller.credentialId, apiError: { code, params, target, details } }
}

/** A bug is logged with its stack; a failed dependency with its code only, because such errors come in large numbers. */
function causeFields({ status, cause }: ApiError): Pick<LogContext, 'error' | 'reason'> {
  if (status < 500 || cause === undefined) return {}
  if (status === 500) return { error: cause }
  return cause instanceof Error && 'code' in cause ? { reason: String(cause.code) } : {}
}
