// API keys: create, rotate, revoke.
import { administered, checked, invalid, type Administered } from '../audited-action.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import type { Asked } from '../route.ts'
import { makeKey, revokeKey, rotateKey, type MadeKey } from '../../auth/companies/company-keys.ts'
import { keyDays } from '../../auth/tokens/credential-factory.ts'
import { companyNameProblem } from '../../auth/passwords/password-rules.ts'
import { parseScopes } from '../../auth/scopes.ts'
import type { Reply } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'

/** The key itself is only in this reply. */
export async function addKey(asked: Asked): Promise<Reply> {
  const fields = await readFields(asked.request)
  const name = checked('name', textIn(fields, 'name'), companyNameProblem)
  const { scopes: named, unknown } = parseScopes(textIn(fields, 'scopes'))
  if (unknown.length > 0 || named.length === 0) throw invalid('scopes', phrase('noSuchChoice'))
  const terms = { scopes: named, expiresInDays: daysIn(fields) }
  return administered(asked, 'key-add', async (transaction) => {
    const made = await makeKey(transaction, asked.minting, name, terms)
    return toldKey(made)
  })
}

export async function rotateOne(asked: Asked): Promise<Reply> {
  const id = textIn(await readFields(asked.request), 'id')
  return administered(asked, 'key-rotate', async (transaction) =>
    toldKey(await rotateKey(transaction, asked.minting, id)),
  )
}

export async function revokeOne(asked: Asked): Promise<Reply> {
  const id = textIn(await readFields(asked.request), 'id')
  return administered(asked, 'key-revoke', async (transaction, now) => {
    await revokeKey(transaction, id, now)
    return { answer: {}, about: { key: id } }
  })
}

function toldKey({ key, row }: MadeKey): Administered {
  return {
    answer: { id: row.id, name: row.name, key },
    about: { key: row.id },
  }
}

/** The lifetime of a key in days; '' for no expiry. */
function daysIn(fields: Fields): number | null {
  const text = fields.get('days') ?? String(keyDays)
  if (text === '') return null
  if (!/^[1-9]\d{0,3}$/.test(text)) throw invalid('days', phrase('noSuchChoice'))
  return Number(text)
}
