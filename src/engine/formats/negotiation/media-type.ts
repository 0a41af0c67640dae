// Format of a request body by its Content-Type.
import { ApiError } from '../../../errors/api-error.ts'
import { message } from '../../../errors/messages.ts'
import { hasByteOrderMark } from '../read/body-text.ts'
import { splitOutsideQuotes } from './header-list.ts'

export type MediaKind = 'json' | 'xml'

/**
 * JSON and XML in UTF-8; names are compared case-insensitively, unknown parameters are ignored. Without a
 * Content-Type the body's first character decides: `[` or `{` is JSON, `<` is XML. An empty body counts as JSON, so
 * that it is rejected as empty. Anything else throws `UnsupportedMediaType`.
 */
export function bodyMediaKind(
  contentType: string | undefined,
  body: Buffer,
  accepted: readonly MediaKind[] = ['json', 'xml'],
): MediaKind {
  if (contentType === undefined) return detectMediaKind(body, accepted)
  const type = parseMediaType(contentType)
  const kind = type === null ? undefined : kinds.get(type.name)
  const charset = type?.parameters.get('charset')?.toLowerCase()
  if (
    kind === undefined ||
    !accepted.includes(kind) ||
    (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
  )
    throw unsupportedMediaType(accepted, contentType)
  return kind
}

/** The name that old clients use for JSON; accepted, but not registered, and so not recommended in errors. */
export const oldJsonType = 'text/json'

const kinds = new Map<string, MediaKind>([
  ['application/json', 'json'],
  [oldJsonType, 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
])

function detectMediaKind(body: Buffer, accepted: readonly MediaKind[]): MediaKind {
  let at = hasByteOrderMark(body) ? 3 : 0
  while (at < body.length && ' \t\r\n'.includes(String.fromCharCode(body[at] ?? 0))) at += 1
  if (at === body.length) return 'json'
  const first = String.fromCharCode(body[at] ?? 0)
  if (first === '[' || first === '{') return 'json'
  if (first === '<' && accepted.includes('xml')) return 'xml'
  throw unsupportedMediaType(accepted)
}

function unsupportedMediaType(accepted: readonly MediaKind[], type?: string): ApiError {
  const allowed = [...kinds]
    .flatMap(([name, kind]) => (accepted.includes(kind) && name !== oldJsonType ? name : []))
    .join(', ')
  return mediaTypeError(type, allowed)
}

/** The error of a Content-Type that is none of the allowed ones, which are separated by commas. */
export function mediaTypeError(type: string | undefined, allowed: string): ApiError {
  return new ApiError('UnsupportedMediaType', {
    target: 'header:Content-Type',
    params: { type: type?.slice(0, 100).replace(/[^ -~]/g, '?') ?? message('none'), allowed },
    headers: { 'Accept-Post': allowed.replace(/;[^,]*/g, '') },
  })
}

/**
 * By RFC 9110, 8.3.1, but without tabs and repeated parameters, which have been used to hide attacks. The names of type and
 * parameters are in lower case.
 */
function parseMediaType(header: string) {
  const parts = splitOutsideQuotes(header, ';')
  const name = parts[0]?.trim().toLowerCase() ?? ''
  const parameters = new Map<string, string>()
  for (const part of parts.slice(1)) {
    if (part.trim() === '') continue
    const equals = part.indexOf('=')
    const parameter = part.slice(0, equals).trim().toLowerCase()
    const value = unquote(part.slice(equals + 1).trim())
    if (equals === -1 || !token.test(parameter) || value === null || parameters.has(parameter)) return null
    parameters.set(parameter, value)
  }
  return /[^ -~]/.test(header) ? null : { name, parameters }
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

function unquote(value: string): string | null {
  if (token.test(value)) return value
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return null
  return value.slice(1, -1).replace(/\\(.)/g, '$1')
}
