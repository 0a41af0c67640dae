// Parses and validates the body of a set-up request, a form or JSON.
import { canonicalTimeZone } from '../../auth/companies/company-settings.ts'
import {
  companyNameProblem,
  emailProblem,
  passwordProblem,
} from '../../auth/passwords/password-rules.ts'
import { parseScopes } from '../../auth/scopes.ts'
import type { FirstRunInput } from '../../auth/companies/first-run.ts'
import type { FieldName } from './messages.ts'
import { ApiError, type ErrorDetail } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { closestMatch } from '../../lib/closest-match.ts'
import { message, type LocalizedMessage } from '../../errors/messages.ts'
import { decodeBodyText } from '../../engine/formats/read/body-text.ts'
import { JsonReader } from '../../engine/formats/json/json-text.ts'
import { bodyMediaKind } from '../../engine/formats/negotiation/media-type.ts'
import { describeValue } from '../../engine/formats/read/row-sink.ts'

export const formType = 'application/x-www-form-urlencoded'

/** Trimmed, except passwords; a missing field is ''. */
export type SetupFields = Readonly<Record<FieldName, string>>

export function isForm(request: Request): boolean {
  return request.header('content-type')?.split(';')[0]?.trim().toLowerCase() === formType
}

/** Throws for other media types, and for unknown fields in JSON. */
export async function readFields(request: Request): Promise<SetupFields> {
  const body = await request.body()
  const sent = isForm(request) ? parseForm(body) : parseJson(request.header('content-type'), body)
  const field = (name: FieldName) => sent.get(name)?.join(' ').trim() ?? ''
  const secret = (name: FieldName) => sent.get(name)?.[0] ?? ''
  return {
    token: field('token'),
    company: field('company').normalize('NFC'),
    timezone: field('timezone') || 'Europe/Oslo',
    companyPassword: secret('companyPassword'),
    email: field('email'),
    password: secret('password'),
    keyName: field('keyName'),
    scopes: field('scopes'),
  }
}

const fieldNames: readonly FieldName[] = [
  'token',
  'company',
  'timezone',
  'companyPassword',
  'email',
  'password',
  'keyName',
  'scopes',
]

/** Each ticked checkbox adds a value under the same name. */
function parseForm(body: Buffer): Map<string, string[]> {
  const sent = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(decodeBodyText(body)))
    sent.set(name, [...(sent.get(name) ?? []), value])
  return sent
}

function parseJson(contentType: string | undefined, body: Buffer): Map<string, string[]> {
  if (bodyMediaKind(contentType, body) !== 'json')
    throw new ApiError('UnsupportedMediaType', {
      target: 'header:Content-Type',
      params: { type: 'XML', allowed: `application/json, ${formType}` },
      headers: { 'Accept-Post': `application/json, ${formType}` },
    })
  const reader = new JsonReader(decodeBodyText(body))
  const first = reader.peek()
  if (first === '') throw new ApiError('EmptyBody', { params: { expected: message('anObject') } })
  if (first !== '{')
    throw new ApiError('InvalidBodyType', {
      params: { expected: message('anObject'), found: describeValue(reader.value()) },
    })
  const sent = new Map<string, string[]>()
  reader.object((name, value) => {
    if (!fieldNames.some((known) => known === name)) throw unknownFieldError(name)
    if (value === null) return
    if (typeof value !== 'string')
      throw new ApiError('InvalidType', {
        target: name,
        params: { field: name, expected: message('aString'), found: describeValue(value) },
      })
    sent.set(name, [value])
  })
  reader.end()
  return sent
}

function unknownFieldError(name: string): ApiError {
  const field = name.slice(0, 60)
  const meant = closestMatch(field, fieldNames)
  const params = meant === undefined ? { field } : { field, nearest: meant }
  return new ApiError('UnknownField', { target: field, params })
}

/** The set-up and its validation errors. */
export function readSetup(fields: SetupFields): {
  setup: FirstRunInput
  problems: readonly ErrorDetail[]
} {
  const { scopes, unknown } = parseScopes(fields.scopes)
  const { token, company, timezone, email, password } = fields
  const setup: FirstRunInput = {
    token,
    company,
    timezone: canonicalTimeZone(timezone) ?? timezone,
    companyPassword: fields.companyPassword === '' ? null : fields.companyPassword,
    email,
    password,
    keyName: fields.keyName === '' ? null : fields.keyName,
    scopes,
  }
  return { setup, problems: validateSetup(setup, unknown[0]) }
}

function validateSetup(setup: FirstRunInput, unknownScope: string | undefined): ErrorDetail[] {
  const { company, timezone, companyPassword, email, password, keyName } = setup
  const unknown =
    unknownScope === undefined ? null : message('unknownScope', { name: unknownScope.slice(0, 60) })
  return [
    missingField('company', company) ?? invalidField('company', companyNameProblem(company)),
    invalidField(
      'timezone',
      canonicalTimeZone(timezone) === null ? message('invalidTimezone') : null,
    ),
    invalidField(
      'companyPassword',
      companyPassword === null ? null : passwordProblem(companyPassword, [company]),
    ),
    missingField('email', email) ?? invalidField('email', emailProblem(email)),
    missingField('password', password) ??
      invalidField('password', passwordProblem(password, [company, email])),
    invalidField('keyName', keyName === null ? null : companyNameProblem(keyName)),
    invalidField('scopes', unknown),
  ].filter((problem) => problem !== null)
}

function missingField(field: FieldName, value: string): ErrorDetail | null {
  return value === ''
    ? new ApiError('MissingField', { target: field, params: { field } }).toDetail()
    : null
}

function invalidField(field: FieldName, problem: LocalizedMessage | null): ErrorDetail | null {
  return problem === null
    ? null
    : new ApiError('InvalidValue', { target: field, params: { field, problem } }).toDetail()
}
