// Credentials of integrations, API keys and passwords: create, rotate, revoke.
import type { CreatedCredential } from '../contract/administration.ts'
import type { Empty } from '../contract/path.ts'
import { auditedAction, type AuditedResult } from '../company-transaction.ts'
import { invalidChoiceError, parseChoice, validateField } from '../request-values.ts'
import { readFields, textIn, type BodyFields } from '../body.ts'
import type { AppRequest } from '../route.ts'
import { addCredential, revokeCredential, rotateCredential } from '../../auth/companies/company-credentials.ts'
import { defaultKeyLifetimeDays, type NewCredential } from '../../auth/tokens/credential-factory.ts'
import { companyNameProblem } from '../../auth/passwords/password-rules.ts'
import { parseScopes, scopesOfKind, type Scope } from '../../auth/scopes.ts'
import { companyPasswordOwner } from '../../store/accounts/credentials.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** The secret itself is only in this reply. `kind` is `key` or `password`. */
export async function addIntegrationCredential(appRequest: AppRequest): Promise<CreatedCredential> {
  const fields = await readFields(appRequest.request)
  const kind = parseChoice(fields.get('kind') ?? 'key', ['key', 'password'], 'kind')
  const name = validateField('name', textIn(fields, 'name'), companyNameProblem)
  const scopes = scopesIn(fields, scopesOfKind[kind])
  const terms = { kind, name, scopes, allowedNetworks: null, expiresInDays: daysIn(fields) }
  return auditedAction(appRequest, 'key-add', async (transaction) =>
    replyOf(await addCredential(transaction, appRequest.cryptoContext, terms)),
  )
}

export async function rotateIntegrationCredential(appRequest: AppRequest): Promise<CreatedCredential> {
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'key-rotate', async (transaction) =>
    replyOf(await rotateCredential(transaction, appRequest.cryptoContext, id)),
  )
}

export async function revokeIntegrationCredential(appRequest: AppRequest): Promise<Empty> {
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'key-revoke', async (transaction, { now }) => {
    const { kind } = await revokeCredential(transaction, id, now)
    return { result: {}, auditData: { [kind]: id } }
  })
}

function replyOf({ secret, row }: NewCredential): AuditedResult<CreatedCredential> {
  const { id, kind } = row
  return { result: { id, kind, name: integrationOf(row), secret }, auditData: { [kind]: id } }
}

/** The integration; null for a password of the company itself. */
export function integrationOf({ owner, name }: CredentialTable): string | null {
  return owner === companyPasswordOwner ? null : name
}

function scopesIn(fields: BodyFields, allowed: readonly Scope[]): Scope[] {
  const { scopes, unknown } = parseScopes(textIn(fields, 'scopes'))
  const isAllowed = unknown.length === 0 && scopes.every((one) => allowed.includes(one))
  if (!isAllowed || scopes.length === 0) throw invalidChoiceError('scopes')
  return scopes
}

/** The lifetime in days; '' for no expiry. */
function daysIn(fields: BodyFields): number | null {
  const text = fields.get('days') ?? String(defaultKeyLifetimeDays)
  if (text === '') return null
  if (!/^[1-9]\d{0,3}$/.test(text)) throw invalidChoiceError('days')
  return Number(text)
}
