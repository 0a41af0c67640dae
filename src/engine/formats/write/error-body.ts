// Error body: an `ApiError` as JSON, XML or RFC 9457, with the same content (ADR 0006).
import { sentence, type Fault, type FaultCode, type Outcome } from '../../../errors/catalog.ts'
import type { Language } from '../../../errors/messages.ts'
import type { ErrorFormat } from '../negotiation/negotiate.ts'
import { jsonOutcomes, xmlOutcomes } from './write-outcomes.ts'
import { xmlDeclaration, xmlElement, xsi } from '../xml/xml-text.ts'

export interface RefusalOptions {
  readonly format: ErrorFormat
  readonly language: Language
  readonly requestId: string
}

export function writeRefusal(
  fault: Fault,
  { format, language, requestId }: RefusalOptions,
): { contentType: string; body: string } {
  const told = tell(fault, language, requestId)
  const { results } = fault
  if (format === 'xml') {
    const listed = results === null ? '' : xmlOutcomes(results)
    return { contentType: 'application/xml; charset=utf-8', body: asXml(told, listed) }
  }
  const listed = results === null ? '' : `,${jsonOutcomes(results)}`
  if (format === 'json') {
    const body = `{"error":${JSON.stringify(told).slice(0, -1)}${listed}}}`
    return { contentType: 'application/json; charset=utf-8', body }
  }
  const body = `${asProblem(told, fault.status).slice(0, -1)}${listed}}`
  return { contentType: 'application/problem+json', body }
}

interface ToldDetail {
  readonly code: FaultCode
  readonly message: string
  readonly target?: string
  readonly existing?: number
}

/** Empty members are omitted. */
interface Told extends ToldDetail {
  readonly details?: readonly ToldDetail[]
  /** The number of all problems. */
  readonly problems?: number
  readonly requestId: string
  readonly outcome: Outcome
}

function tell(fault: Fault, language: Language, requestId: string): Told {
  return {
    ...tellDetail({ ...fault.detail(), says: fault.says }, language),
    ...(fault.details.length === 0
      ? {}
      : {
          details: fault.details.map((detail) => tellDetail(detail, language)),
          problems: fault.problems,
        }),
    requestId,
    outcome: fault.outcome,
  }
}

function tellDetail(
  { code, says, target, existing }: ReturnType<Fault['detail']>,
  language: Language,
): ToldDetail {
  return {
    code,
    message: sentence(code, says, language),
    ...(target === null ? {} : { target }),
    ...(existing === undefined ? {} : { existing }),
  }
}

function asXml({ details, ...rest }: Told, results: string): string {
  const listed = details?.map((detail) => `<detail>${xmlMembers(detail)}</detail>`).join('') ?? ''
  return `${xmlDeclaration}<error${results && xsi}>${xmlMembers(rest)}${listed && `<details>${listed}</details>`}${results}</error>`
}

function xmlMembers(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => xmlElement(name, String(value)))
    .join('')
}

function asProblem({ message, requestId, ...rest }: Told, status: number): string {
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
function titleOf(code: FaultCode): string {
  return code.charAt(0) + code.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
