// API keys: create, rotate, revoke.
import type { CreatedKey } from '../contract/administration.ts'
import type { Empty } from '../contract/endpoints.ts'
import { auditedAction, type AuditedResult } from '../audited-action.ts'
import { invalidChoiceError, validateField } from '../request-values.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import type { AppRequest } from '../route.ts'
import { createKey, revokeKey, rotateKey, type NewKey } from '../../auth/companies/company-keys.ts'
import { defaultKeyLifetimeDays } from '../../auth/tokens/credential-factory.ts'
import { companyNameProblem } from '../../auth/passwords/password-rules.ts'
import { parseScopes } from '../../auth/scopes.ts'

/** The key itself is only in this reply. */
export async function addApiKey(appRequest: AppRequest): Promise<CreatedKey> {
  const fields = await readFields(appRequest.request)
  const name = validateField('name', textIn(fields, 'name'), companyNameProblem)
  const { scopes: named, unknown } = parseScopes(textIn(fields, 'scopes'))
  if (unknown.length > 0 || named.length === 0) throw invalidChoiceError('scopes')
  const terms = { scopes: named, expiresInDays: daysIn(fields) }
  return auditedAction(appRequest, 'key-add', async (transaction) => {
    const made = await createKey(transaction, appRequest.cryptoContext, name, terms)
    return keyResult(made)
  })
}

export async function rotateApiKey(appRequest: AppRequest): Promise<CreatedKey> {
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'key-rotate', async (transaction) =>
    keyResult(await rotateKey(transaction, appRequest.cryptoContext, id)),
  )
}

export async function revokeApiKey(appRequest: AppRequest): Promise<Empty> {
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'key-revoke', async (transaction, now) => {
    await revokeKey(transaction, id, now)
    return { result: {}, auditData: { key: id } }
  })
}

function keyResult({ key, row }: NewKey): AuditedResult<CreatedKey> {
  return {
    result: { id: row.id, name: row.name, key },
    auditData: { key: row.id },
  }
}

/** The lifetime of a key in days; '' for no expiry. */
function daysIn(fields: Fields): number | null {
  const text = fields.get('days') ?? String(defaultKeyLifetimeDays)
  if (text === '') return null
  if (!/^[1-9]\d{0,3}$/.test(text)) throw invalidChoiceError('days')
  return Number(text)
}
