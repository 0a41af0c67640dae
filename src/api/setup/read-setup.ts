// Set-up request: parses and validates the JSON body of the first-run set-up.
import { canonicalTimeZone } from '../../auth/companies/company-settings.ts'
import { companyNameProblem, emailProblem, passwordProblem } from '../../auth/passwords/password-rules.ts'
import { parseScopes } from '../../auth/scopes.ts'
import type { FirstRunInput } from '../../auth/companies/first-run.ts'
import { errorOfDetails, fieldError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import { closestMatch } from '../../lib/closest-match.ts'
import { message, type LocalizedMessage } from '../../errors/messages.ts'
import { openJsonObject } from '../../engine/formats/json/json-rows.ts'
import { bodyMediaKind } from '../../engine/formats/negotiation/media-type.ts'
import { describeValue } from '../../engine/formats/read/row-sink.ts'

/** The fields, with their JSON schemas. */
export const setupFields = {
  token: { type: 'string', description: 'The part after # in the set-up link' },
  company: { type: 'string', maxLength: 100 },
  timezone: { type: 'string', default: 'Europe/Oslo' },
  companyPassword: { type: 'string', description: 'Generated if missing' },
  email: { type: 'string', format: 'email' },
  password: { type: 'string', minLength: 15 },
  keyName: { type: 'string', maxLength: 100 },
  scopes: { type: 'string', description: 'For example revenue:*,directory:read; no key is made without scopes' },
} as const

type SetupFieldName = keyof typeof setupFields

type SetupFields = ReadonlyMap<SetupFieldName, string>

/** Throws for other media types, unknown fields, and values that are not strings. */
export async function readSetupFields(request: Request): Promise<SetupFields> {
  const body = await request.body()
  bodyMediaKind(request.header('content-type'), body, ['json'])
  const reader = openJsonObject(body)
  const fields = new Map<SetupFieldName, string>()
  reader.object((name, value) => {
    if (!isFieldName(name)) {
      const unknown = name.slice(0, 60)
      throw fieldError('UnknownField', unknown, { nearest: closestMatch(unknown, Object.keys(setupFields)) })
    }
    if (value === null) return
    if (typeof value !== 'string')
      throw fieldError('InvalidType', name, { expected: message('aString'), found: describeValue(value) })
    fields.set(name, value)
  })
  reader.end()
  return fields
}

function isFieldName(name: string): name is SetupFieldName {
  return Object.hasOwn(setupFields, name)
}

/** Throws one error with every invalid field. */
export function parseSetup(fields: SetupFields): FirstRunInput {
  const text = (name: SetupFieldName) => fields.get(name)?.trim() ?? ''
  const company = text('company').normalize('NFC')
  const timezone = canonicalTimeZone(text('timezone') || 'Europe/Oslo')
  const companyPassword = fields.get('companyPassword') || null
  const email = text('email')
  const password = fields.get('password') ?? ''
  const keyName = text('keyName') || null
  const { scopes, unknown } = parseScopes(text('scopes'))
  const [unknownScope] = unknown
  const problems: readonly FieldProblem[] = [
    ['company', company === '' ? 'missing' : companyNameProblem(company)],
    ['timezone', timezone === null ? message('invalidTimezone') : null],
    ['companyPassword', companyPassword === null ? null : passwordProblem(companyPassword, [company])],
    ['email', email === '' ? 'missing' : emailProblem(email)],
    ['password', password === '' ? 'missing' : passwordProblem(password, [company, email])],
    ['keyName', keyName === null ? null : companyNameProblem(keyName)],
    ['scopes', unknownScope === undefined ? null : message('unknownScope', { name: unknownScope.slice(0, 60) })],
  ]
  const details = problems.flatMap(([field, problem]) => {
    if (problem === null) return []
    if (problem === 'missing') return fieldError('MissingField', field).toDetail()
    return fieldError('InvalidValue', field, { problem }).toDetail()
  })
  if (details.length > 0) throw errorOfDetails(details)
  return { token: text('token'), company, timezone: timezone ?? '', companyPassword, email, password, keyName, scopes }
}

type FieldProblem = readonly [field: SetupFieldName, problem: LocalizedMessage | 'missing' | null]
