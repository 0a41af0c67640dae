// What administrators look at: keys, people, and how the company is set up, which they change here.
import { administered, invalid } from '#app/administered.ts'
import { readFields, type Fields } from '#app/body.ts'
import { trialOwner } from '#app/reference.ts'
import { json, type Asked } from '#app/route.ts'
import { keyState } from '#auth/company-keys.ts'
import {
  parseSettings,
  settingNames,
  writeSettings,
  zoneNamed,
  type CompanySettings,
} from '#auth/company-settings.ts'
import { scopes } from '#auth/scopes.ts'
import type { Reply } from '#http/request.ts'
import { phrase } from '#phrases.ts'
import { companyById, updateCompany } from '#store/companies.ts'
import { listCredentials } from '#store/credentials.ts'
import { listMembers } from '#store/users.ts'

/** Keys, people and settings in one; stamps are microseconds. */
export const administration = async ({ store, visitor, clock }: Asked): Promise<Reply> => {
  const { companyId, company } = visitor.caller
  const now = clock()
  const keys = (await listCredentials(store, companyId)).filter(
    ({ kind, owner }) => kind === 'key' && !owner.startsWith(trialOwner),
  )
  return json({
    scopes,
    keys: keys.map((row) => ({
      id: row.id,
      name: row.name,
      state: keyState(row, now),
      scopes: row.scopes.split(' '),
      addresses: row.addresses === null ? null : JSON.parse(row.addresses),
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
    })),
    people: (await listMembers(store, companyId)).map(({ departments, ...person }) => ({
      ...person,
      departments: departments === null ? null : JSON.parse(departments),
    })),
    zone: company.zone,
    currency: company.currency,
    settings: Object.fromEntries(
      Object.entries(settingNames).map(([name, setting]) => [name, company.settings[setting]]),
    ),
  })
}

/** Changes what is sent, and leaves the rest as it stands then. */
export const changeSettings = async (asked: Asked): Promise<Reply> => {
  const fields = await readFields(asked.request)
  const changed = changesIn(fields)
  return administered(asked, 'settings', async (transaction) => {
    const company = await companyById(transaction, transaction.companyId)
    if (company === undefined) throw new Error('a company that somebody is signed in to')
    const { timezone = company.timezone, currency = company.currency } = changed
    const settings = writeSettings({ ...parseSettings(company.settings), ...changed.settings })
    await updateCompany(transaction, { ...company, timezone, currency, settings })
    return { answer: {}, about: { changed: [...fields.keys()].join(' ') } }
  })
}

interface Changes {
  readonly timezone?: string
  readonly currency?: string
  readonly settings: Partial<CompanySettings>
}

const changesIn = (fields: Fields): Changes => {
  let changes: Changes = { settings: {} }
  for (const [name, text] of fields)
    changes = { ...changes, ...changeIn(name, text ?? '', changes) }
  return changes
}

/** Throws `InvalidValue`. */
const changeIn = (name: string, text: string, { settings }: Changes): Partial<Changes> => {
  if (name === 'zone') {
    const timezone = zoneNamed(text)
    if (timezone === null) throw invalid(name, phrase('noSuchChoice'))
    return { timezone }
  }
  if (name === 'currency') {
    if (!/^[A-Z]{3}$/.test(text)) throw invalid(name, phrase('noSuchChoice'))
    return { currency: text }
  }
  const setting = Object.hasOwn(settingNames, name) ? settingNames[name] : undefined
  if (setting === undefined || !['true', 'false'].includes(text))
    throw invalid(name.slice(0, 60), phrase('noSuchChoice'))
  return { settings: { ...settings, [setting]: text === 'true' } }
}
