// Parses and validates the body of a set-up request, a form or JSON.
import { zoneNamed } from '../../auth/companies/company-settings.ts'
import {
  companyNameProblem,
  emailProblem,
  passwordProblem,
} from '../../auth/passwords/password-rules.ts'
import { parseScopes } from '../../auth/scopes.ts'
import type { Setup } from '../../auth/companies/first-run.ts'
import type { FieldName } from './messages.ts'
import { Fault, type Detail } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import { nearest } from '../../lib/closest-match.ts'
import { phrase, type Phrase } from '../../errors/messages.ts'
import { bodyText } from '../../engine/formats/read/body-text.ts'
import { JsonReader } from '../../engine/formats/json/json-text.ts'
import { mediaKind } from '../../engine/formats/negotiation/media-type.ts'
import { kindOf } from '../../engine/formats/read/row-sink.ts'

export const formType = 'application/x-www-form-urlencoded'

/** Trimmed, except passwords; a missing field is ''. */
export type Fields = Readonly<Record<FieldName, string>>

export function isForm(request: Request): boolean {
  return request.header('content-type')?.split(';')[0]?.trim().toLowerCase() === formType
}

/** Throws for other media types, and for unknown fields in JSON. */
export async function readFields(request: Request): Promise<Fields> {
  const body = await request.body()
  const sent = isForm(request) ? formFields(body) : jsonFields(request.header('content-type'), body)
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
function formFields(body: Buffer): Map<string, string[]> {
  const sent = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(bodyText(body)))
    sent.set(name, [...(sent.get(name) ?? []), value])
  return sent
}

function jsonFields(contentType: string | undefined, body: Buffer): Map<string, string[]> {
  if (mediaKind(contentType, body) !== 'json')
    throw new Fault('UnsupportedMediaType', {
      target: 'header:Content-Type',
      says: { type: 'XML', allowed: `application/json, ${formType}` },
      headers: { 'Accept-Post': `application/json, ${formType}` },
    })
  const reader = new JsonReader(bodyText(body))
  const first = reader.peek()
  if (first === '') throw new Fault('EmptyBody', { says: { expected: phrase('anObject') } })
  if (first !== '{')
    throw new Fault('WrongBodyShape', {
      says: { expected: phrase('anObject'), found: kindOf(reader.value()) },
    })
  const sent = new Map<string, string[]>()
  reader.object((name, value) => {
    if (!fieldNames.some((known) => known === name)) throw unknownField(name)
    if (value === null) return
    if (typeof value !== 'string')
      throw new Fault('InvalidType', {
        target: name,
        says: { field: name, expected: phrase('aText'), found: kindOf(value) },
      })
    sent.set(name, [value])
  })
  reader.end()
  return sent
}

function unknownField(name: string): Fault {
  const field = name.slice(0, 60)
  const meant = nearest(field, fieldNames)
  const says = meant === undefined ? { field } : { field, nearest: meant }
  return new Fault('UnknownField', { target: field, says })
}

/** The set-up and its validation errors. */
export function readSetup(fields: Fields): { setup: Setup; problems: readonly Detail[] } {
  const { scopes, unknown } = parseScopes(fields.scopes)
  const { token, company, timezone, email, password } = fields
  const setup: Setup = {
    token,
    company,
    timezone: zoneNamed(timezone) ?? timezone,
    companyPassword: fields.companyPassword === '' ? null : fields.companyPassword,
    email,
    password,
    keyName: fields.keyName === '' ? null : fields.keyName,
    scopes,
  }
  return { setup, problems: problemsOf(setup, unknown[0]) }
}

function problemsOf(setup: Setup, unknownScope: string | undefined): Detail[] {
  const { company, timezone, companyPassword, email, password, keyName } = setup
  const unknown =
    unknownScope === undefined ? null : phrase('noScope', { name: unknownScope.slice(0, 60) })
  return [
    required('company', company) ?? wrong('company', companyNameProblem(company)),
    wrong('timezone', zoneNamed(timezone) === null ? phrase('noTimezone') : null),
    wrong(
      'companyPassword',
      companyPassword === null ? null : passwordProblem(companyPassword, [company]),
    ),
    required('email', email) ?? wrong('email', emailProblem(email)),
    required('password', password) ??
      wrong('password', passwordProblem(password, [company, email])),
    wrong('keyName', keyName === null ? null : companyNameProblem(keyName)),
    wrong('scopes', unknown),
  ].filter((problem) => problem !== null)
}

function required(field: FieldName, value: string): Detail | null {
  return value === ''
    ? new Fault('MissingField', { target: field, says: { field } }).detail()
    : null
}

function wrong(field: FieldName, problem: Phrase | null): Detail | null {
  return problem === null
    ? null
    : new Fault('InvalidValue', { target: field, says: { field, problem } }).detail()
}
