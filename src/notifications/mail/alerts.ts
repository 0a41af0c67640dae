// Alerts: notifies administrators once of silent integrations and of lines nobody exports.
import { publishEvent } from '../webhooks/publish.ts'
import type { MailQueue } from './mail-queue.ts'
import { silentIntegrationMessage, stalledExportMessage, type AlertDetails } from './alert-texts.ts'
import type { MailMessage } from './message.ts'
import { microsecondsPerHour } from '../../lib/timestamp.ts'
import { forEachCompany } from '../../store/accounts/companies.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'
import { listMembers } from '../../store/accounts/users.ts'
import { getOverdueTotals } from '../../store/export/export-overview.ts'
import {
  listIntegrationActivity,
  clearAlert,
  raiseAlert,
  listAlertRules,
  type IntegrationActivity,
} from '../../store/notifications/alert-rules.ts'

export interface AlertCheckOptions {
  readonly store: Store
  /** Null without a mail server: alerts are then shown only in the app. */
  readonly mailQueue: MailQueue | null
  /** Microseconds since 1970. */
  readonly clock: () => number
  /** Base URL of the server, without a trailing slash; '' when it has no public URL. */
  readonly address: string
}

/** Subject of the alert rule for waiting lines; never the owner of a key. */
export const exportAlertSubject = 'export'

/** Default number of hours that approved lines may wait; 0 disables the alert. */
export const defaultExportAlertHours = 72

/** Checks the companies one after another, also where another fails. Throws an `AggregateError` of all failures. */
export async function checkAlerts(options: AlertCheckOptions): Promise<void> {
  const activities = Map.groupBy(await listIntegrationActivity(options.store), ({ companyId }) => companyId)
  await forEachCompany(options.store, async (company) => {
    if (company.disabledAt !== null) return
    for (const activity of activities.get(company.id) ?? []) await checkIntegration(options, company, activity)
    await checkExports(options, company)
  })
}

async function checkIntegration(
  options: AlertCheckOptions,
  company: CompanyTable,
  activity: IntegrationActivity,
): Promise<void> {
  const { store, clock } = options
  const { hours, raisedAt, lastSeenAt, name } = activity
  const isSilent = clock() - lastSeenAt >= hours * microsecondsPerHour
  if (isSilent === (raisedAt !== null)) return
  if (!isSilent) return store.inSystemTransaction((writer) => clearAlert(writer, activity))
  await raiseAndNotify(options, company, activity, (to, alert) =>
    silentIntegrationMessage(to, { ...alert, name, hours, lastCallAt: lastSeenAt }),
  )
}

async function checkExports(options: AlertCheckOptions, company: CompanyTable): Promise<void> {
  const { store, clock } = options
  const rules = await listAlertRules(store, { companyId: company.id })
  const alertRule = rules.find(({ subject }) => subject === exportAlertSubject)
  const hours = alertRule?.hours ?? defaultExportAlertHours
  if (hours === 0) return
  const isRaised = alertRule !== undefined && alertRule.raisedAt !== null
  const waiting = await getOverdueTotals(store, company.id, clock() - hours * microsecondsPerHour)
  if ((waiting !== undefined) === isRaised) return
  const subject = { companyId: company.id, subject: exportAlertSubject, hours }
  if (waiting === undefined) return store.inSystemTransaction((writer) => clearAlert(writer, subject))
  await raiseAndNotify(options, company, subject, (to, alert) =>
    stalledExportMessage(to, { ...alert, ...waiting, hours }),
  )
}

/** Raises the alert and queues its messages in one transaction, so that only one of several servers does it. */
function raiseAndNotify(
  { store, mailQueue, clock, address }: AlertCheckOptions,
  company: CompanyTable,
  { companyId, subject, hours }: Pick<IntegrationActivity, 'companyId' | 'subject' | 'hours'>,
  write: (to: string, alert: AlertDetails) => MailMessage,
): Promise<void> {
  return store.inSystemTransaction(async (writer) => {
    const isFirst = await raiseAlert(writer, { companyId, subject, hours, raisedAt: clock() })
    if (!isFirst) return
    if (subject === exportAlertSubject) {
      const stalled = { type: 'export.stalled', at: clock(), data: { hours } } as const
      await publishEvent(writer, companyId, stalled)
    }
    if (mailQueue === null) return
    const alert = { company: company.name, zone: company.timezone, address }
    for (const { email, role, disabledAt } of await listMembers(writer, { companyId }))
      if (role === 'admin' && disabledAt === null) await mailQueue.enqueue(writer, 'alert', write(email, alert))
  })
}
