// Administration: keys, users and company settings.
import { administered, invalid } from '../audited-action.ts'
import { readFields, type Fields } from '../body.ts'
import { toldCall } from '../operations/api-call-log.ts'
import { json, type Asked } from '../route.ts'
import { keyState } from '../../auth/companies/company-keys.ts'
import {
  parseSettings,
  settingNames,
  writeSettings,
  zoneNamed,
  type CompanySettings,
} from '../../auth/companies/company-settings.ts'
import { scopes } from '../../auth/scopes.ts'
import type { Reply } from '../../http/request.ts'
import { exportHours, exportSubject } from '../../notifications/mail/alerts.ts'
import { phrase } from '../../errors/messages.ts'
import { lastRefusedOf, successesOf } from '../../store/audit/api-call-log.ts'
import { companyById, updateCompany } from '../../store/accounts/companies.ts'
import { listCredentials, trialPrefix } from '../../store/accounts/credentials.ts'
import { listInvitations } from '../../store/accounts/invitations.ts'
import type { WatchTable } from '../../store/tables/operations.ts'
import { watchesOf } from '../../store/notifications/alert-rules.ts'
import { listMembers } from '../../store/accounts/users.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

/** Keys, users, invitations and settings; timestamps are microseconds. */
export async function administration({
  store,
  request,
  visitor,
  clock,
  outbox,
}: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  const now = clock()
  const language = languageOf(request.header('accept-language'))
  const successes = await successesOf(store, companyId)
  const refused = await lastRefusedOf(store, companyId)
  const watches = await watchesOf(store, companyId)
  const keys = (await listCredentials(store, companyId)).filter(
    ({ kind, owner }) => kind === 'key' && !owner.startsWith(trialPrefix),
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
      succeededAt: successes.find(({ credentialId }) => credentialId === row.id)?.at ?? null,
      refused:
        refused
          .filter(({ credentialId }) => credentialId === row.id)
          .map((call) => toldCall(call, language))
          .at(0) ?? null,
      watch: watchIn(watches, row.owner),
    })),
    people: (await listMembers(store, companyId)).map(withDepartments),
    invitations: (await listInvitations(store, companyId)).map(withDepartments),
    exportWatch: watchIn(watches, exportSubject) ?? { hours: exportHours, raisedAt: null },
    sendsMail: outbox !== null,
    zone: company.zone,
    currency: company.currency,
    settings: Object.fromEntries(
      Object.entries(settingNames).map(([name, setting]) => [name, company.settings[setting]]),
    ),
  })
}

function watchIn(watches: readonly WatchTable[], subject: string) {
  const found = watches.find((one) => one.subject === subject)
  return found === undefined ? null : { hours: found.hours, raisedAt: found.raisedAt }
}

function withDepartments<Row extends { departments: string | null }>(row: Row) {
  return {
    ...row,
    departments: row.departments === null ? null : JSON.parse(row.departments),
  }
}

/** Changes the settings in the body; others keep their current values. */
export async function changeSettings(asked: Asked): Promise<Reply> {
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

function changesIn(fields: Fields): Changes {
  let changes: Changes = { settings: {} }
  for (const [name, text] of fields)
    changes = { ...changes, ...changeIn(name, text ?? '', changes) }
  return changes
}

/** Throws `InvalidValue`. */
function changeIn(name: string, text: string, { settings }: Changes): Partial<Changes> {
  if (name === 'zone') return { timezone: zoneOf(text) }
  if (name === 'currency') return { currency: currencyOf(text) }
  const setting = Object.hasOwn(settingNames, name) ? settingNames[name] : undefined
  if (setting === undefined || !['true', 'false'].includes(text))
    throw invalid(name.slice(0, 60), phrase('noSuchChoice'))
  return { settings: { ...settings, [setting]: text === 'true' } }
}

/** Parses the IANA time zone of field `zone`. Throws `InvalidValue`. */
export function zoneOf(text: string): string {
  const timezone = zoneNamed(text)
  if (timezone === null) throw invalid('zone', phrase('noSuchChoice'))
  return timezone
}

/** Parses the currency code of field `currency`. Throws `InvalidValue`. */
export function currencyOf(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw invalid('currency', phrase('noSuchChoice'))
  return text
}
