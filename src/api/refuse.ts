// Every refusal becomes a reply here, in the caller's format and language.
import { Fault } from '#faults.ts'
import type { About, Reply, Request } from '#http/request.ts'
import { errorFormat, languageOf } from '#wire/negotiate.ts'
import { writeRefusal } from '#wire/refusal.ts'

/** Anything that is no `Fault` is a bug: the caller learns the request id, the log the cause. */
export const refuse = (error: unknown, request: Request): Reply => {
  const fault =
    error instanceof Fault
      ? error
      : new Fault('InternalError', { outcome: 'unknown', cause: error })
  const language = languageOf(request.header('accept-language'))
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
    about: {
      ...calledBy(request, fault),
      code: fault.code,
      ...causeOf(fault),
    },
  }
}

const calledBy = ({ caller }: Request, { code, says, target, details }: Fault): About =>
  caller === undefined
    ? {}
    : {
        companyId: caller.companyId,
        credentialId: caller.credentialId,
        refusal: { code, says, target, details },
      }

/** A bug is told with its stack; what failed beside us by its code alone, for it comes in swarms. */
const causeOf = ({ status, cause }: Fault): Pick<About, 'error' | 'reason'> => {
  if (status < 500 || cause === undefined) return {}
  if (status === 500) return { error: cause }
  return cause instanceof Error && 'code' in cause ? { reason: String(cause.code) } : {}
}
