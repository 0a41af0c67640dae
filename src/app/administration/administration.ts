// Administration: credentials, users, company settings and alert rules.
import type { Administration } from '../contract/administration.ts'
import type { Empty } from '../contract/path.ts'
import { integrationOf } from './credentials.ts'
import { readMembership } from './people.ts'
import { auditedAction } from '../company-transaction.ts'
import { invalidChoiceError } from '../request-values.ts'
import { readFields, textIn } from '../body.ts'
import { describeFailedCall } from './api-call-log.ts'
import type { AppRequest } from '../route.ts'
import { credentialState, getCompanyCredential } from '../../auth/companies/company-credentials.ts'
import {
  parseSetting,
  parseSettings,
  companySettingNames,
  writeSettings,
  canonicalTimeZone,
  type CompanySettings,
} from '../../auth/companies/company-settings.ts'
import { scopesOfKind } from '../../auth/scopes.ts'
import { defaultExportAlertHours, exportAlertSubject } from '../../notifications/mail/alerts.ts'
import { listLastRejectedCalls, listLastSuccesses } from '../../store/audit/api-call-log.ts'
import { findCompanyById, updateCompany } from '../../store/accounts/companies.ts'
import { listCredentials, trialKeyOwnerPrefix } from '../../store/accounts/credentials.ts'
import { listInvitations } from '../../store/accounts/invitations.ts'
import type { AlertRuleTable } from '../../store/tables/operations.ts'
import { deleteAlertRule, listAlertRules, saveAlertRule } from '../../store/notifications/alert-rules.ts'
import { listMembers } from '../../store/accounts/users.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'

/** Credentials, users, invitations and settings; timestamps are microseconds. */
export async function getAdministration(appRequest: AppRequest): Promise<Administration> {
  const { store, request, clock, mailQueue, companyId, company } = appRequest
  const now = clock()
  const language = negotiateLanguage(request.header('accept-language'))
  const successes = await listLastSuccesses(store, { companyId })
  const rejectedCalls = await listLastRejectedCalls(store, { companyId })
  const rules = await listAlertRules(store, { companyId })
  const credentials = (await listCredentials(store, { companyId })).filter(
    ({ owner }) => !owner.startsWith(trialKeyOwnerPrefix),
  )
  return {
    scopes: scopesOfKind,
    credentials: credentials.map((row) => ({
      id: row.id,
      kind: row.kind,
      name: integrationOf(row),
      state: credentialState(row, now),
      scopes: row.scopes.split(' '),
      allowedNetworks: row.allowedNetworks === null ? null : JSON.parse(row.allowedNetworks),
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      lastUsedAt: row.lastUsedAt,
      succeededAt: successes.find(({ credentialId }) => credentialId === row.id)?.at ?? null,
      lastRejectedCall:
        rejectedCalls
          .filter(({ credentialId }) => credentialId === row.id)
          .map((call) => describeFailedCall(call, language))
          .at(0) ?? null,
      alertRule: alertRuleOf(rules, row.owner),
    })),
    people: (await listMembers(store, { companyId })).map((row) => ({ ...row, ...readMembership(row) })),
    invitations: (await listInvitations(store, { companyId })).map((row) => ({ ...row, ...readMembership(row) })),
    exportAlertRule: alertRuleOf(rules, exportAlertSubject) ?? { hours: defaultExportAlertHours, raisedAt: null },
    sendsMail: mailQueue !== null,
    zone: company.zone,
    currency: company.currency,
    settings: Object.fromEntries(
      Object.entries(companySettingNames).map(([name, setting]) => [name, company.settings[setting]]),
    ),
  }
}

function alertRuleOf(rules: readonly AlertRuleTable[], subject: string) {
  const found = rules.find((one) => one.subject === subject)
  return found === undefined ? null : { hours: found.hours, raisedAt: found.raisedAt }
}

/** Sets `hours` for the key or password `key`, or for exports without one; 0 disables the rule. Throws `NotFound` and `InvalidValue`. */
export async function setAlertRule(appRequest: AppRequest): Promise<Empty> {
  const fields = await readFields(appRequest.request)
  const text = textIn(fields, 'hours')
  const hours = Number(text)
  if (!/^\d{1,4}$/.test(text) || hours > hoursMax) throw invalidChoiceError('hours')
  const key = fields.get('key') ?? ''
  return auditedAction(appRequest, 'alert-rule', async (transaction) => {
    const { companyId } = transaction
    const subject = key === '' ? exportAlertSubject : (await getCompanyCredential(transaction, key)).owner
    if (hours === 0 && subject !== exportAlertSubject) await deleteAlertRule(transaction, { companyId, subject })
    else await saveAlertRule(transaction, { companyId, subject, hours })
    return { result: {}, auditData: key === '' ? { changed: exportAlertSubject, hours } : { key, hours } }
  })
}

/** 60 days. */
const hoursMax = 1440

/** Changes the settings in the body; others keep their current values. */
export async function changeSettings(appRequest: AppRequest): Promise<Empty> {
  const fields = await readFields(appRequest.request)
  const { zone, currency, ...others } = Object.fromEntries(fields)
  const changed = {
    ...(zone === undefined ? {} : { timezone: parseTimezone(zone ?? '') }),
    ...(currency === undefined ? {} : { currency: parseCurrency(currency ?? '') }),
  }
  const changedSettings: Partial<CompanySettings> = Object.fromEntries(
    Object.entries(others).map(([name, text]) => settingIn(name, text ?? '')),
  )
  return auditedAction(appRequest, 'settings', async (transaction) => {
    const company = await findCompanyById(transaction, { id: transaction.companyId })
    if (company === undefined) throw new Error('a company that somebody is signed in to')
    const settings = writeSettings({ ...parseSettings(company.settings), ...changedSettings })
    await updateCompany(transaction, { ...company, ...changed, settings })
    return { result: {}, auditData: { changed: [...fields.keys()].join(' ') } }
  })
}

/** The setting of this name, and its value. Throws `InvalidValue`. */
function settingIn(name: string, text: string) {
  const [, setting] = Object.entries(companySettingNames).find(([known]) => known === name) ?? []
  const value = setting === undefined ? undefined : parseSetting(setting, text)
  if (setting === undefined || value === undefined) throw invalidChoiceError(name.slice(0, 60))
  return [setting, value] as const
}

/** Parses the IANA time zone of field `zone`. Throws `InvalidValue`. */
export function parseTimezone(text: string): string {
  const timezone = canonicalTimeZone(text)
  if (timezone === null) throw invalidChoiceError('zone')
  return timezone
}

/** Parses the currency code of field `currency`. Throws `InvalidValue`. */
export function parseCurrency(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw invalidChoiceError('currency')
  return text
}
