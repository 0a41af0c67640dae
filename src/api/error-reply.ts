// Error replies: turns any error into a reply in the caller's format and language.
import { htmlReply } from './setup/html-reply.ts'
import { refusedPage } from './setup/page.ts'
import { Fault, type FaultCode } from '../errors/catalog.ts'
import type { About, Reply, Request } from '../http/request.ts'
import { errorFormat, languageOf, wantsHtml } from '../engine/formats/negotiation/negotiate.ts'
import { writeRefusal } from '../engine/formats/write/error-body.ts'

/**
 * An HTML page when a browser requests a page and the error has one, otherwise an error body. Anything but a catalogued
 * error is a bug: the caller gets the request id, the log the cause.
 */
export function refuse(error: unknown, request: Request, isForPeople = false): Reply {
  const fault =
    error instanceof Fault
      ? error
      : new Fault('InternalError', { outcome: 'unknown', cause: error })
  const language = languageOf(request.header('accept-language'))
  const about = { ...calledBy(request, fault), code: fault.code, ...causeOf(fault) }
  const why = isForPeople && wantsHtml(request.header('accept')) ? pages.get(fault.code) : undefined
  if (why !== undefined) {
    const reply = htmlReply(request, fault.status, refusedPage(language, why))
    return {
      ...reply,
      headers: { ...reply.headers, Vary: 'Accept, Accept-Language', ...fault.headers },
      about,
    }
  }
  const format = errorFormat(request.header('accept'), request.header('content-type'))
  const { contentType, body } = writeRefusal(fault, { format, language, requestId: request.id })
  return {
    status: fault.status,
    headers: {
      'Content-Type': contentType,
      'Content-Language': language,
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Language',
      ...fault.headers,
    },
    body: request.method === 'HEAD' ? null : body,
    about,
  }
}

/** Errors that a person who opens the server in a browser can resolve. */
const pages: ReadonlyMap<FaultCode, 'notSetUp' | 'appNotBuilt'> = new Map([
  ['NotInitialised', 'notSetUp'],
  ['AppNotBuilt', 'appNotBuilt'],
])

function calledBy({ caller }: Request, { code, says, target, details }: Fault): About {
  return caller === undefined
    ? {}
    : {
        companyId: caller.companyId,
        credentialId: caller.credentialId,
        refusal: { code, says, target, details },
      }
}

/** A bug is logged with its stack; a failed dependency with its code only, because such errors come in large numbers. */
function causeOf({ status, cause }: Fault): Pick<About, 'error' | 'reason'> {
  if (status < 500 || cause === undefined) return {}
  if (status === 500) return { error: cause }
  return cause instanceof Error && 'code' in cause ? { reason: String(cause.code) } : {}
}
