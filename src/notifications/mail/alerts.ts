// Alerts: notifies administrators once of silent integrations and of lines nobody exports.
import { tell } from '../webhooks/publish.ts'
import type { Outbox } from './mail-queue.ts'
import { silentLetter, waitingLetter, type Alarmed } from './alert-texts.ts'
import type { Letter } from './message.ts'
import { companyById, listCompanies } from '../../store/accounts/companies.ts'
import type { Store, Writer } from '../../store/store.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'
import { listMembers } from '../../store/accounts/users.ts'
import {
  heardOf,
  lower,
  raise,
  waitingSince,
  watchesOf,
  type Heard,
} from '../../store/notifications/alert-rules.ts'

export interface Watching {
  readonly store: Store
  /** Null without a mail server: alerts are then shown only in the app. */
  readonly outbox: Outbox | null
  /** Microseconds since 1970. */
  readonly clock: () => number
  /** Base URL of the server, without a trailing slash; '' when it has no public URL. */
  readonly address: string
}

/** Subject of the alert rule for waiting lines; never the owner of a key. */
export const exportSubject = 'export'

/** Default number of hours that approved lines may wait; 0 disables the alert. */
export const exportHours = 72

export async function watchOver(watching: Watching): Promise<void> {
  for (const heard of await heardOf(watching.store)) await checkIntegration(watching, heard)
  for (const company of await listCompanies(watching.store))
    if (company.disabledAt === null) await checkExports(watching, company)
}

async function checkIntegration(watching: Watching, heard: Heard): Promise<void> {
  const { store, clock } = watching
  const { hours, raisedAt, heardAt, name } = heard
  const isSilent = clock() - heardAt >= hours * hour
  if (isSilent === (raisedAt !== null)) return
  if (!isSilent) return store.inHouseTransaction((writer) => lower(writer, heard))
  const company = await companyById(store, heard.companyId)
  if (company === undefined) return
  await raiseAndNotify(watching, company, heard, (to, alarmed) =>
    silentLetter(to, { ...alarmed, name, hours, heardAt }),
  )
}

async function checkExports(watching: Watching, company: CompanyTable): Promise<void> {
  const { store, clock } = watching
  const watches = await watchesOf(store, company.id)
  const watch = watches.find(({ subject }) => subject === exportSubject)
  const hours = watch?.hours ?? exportHours
  if (hours === 0) return
  const isRaised = watch !== undefined && watch.raisedAt !== null
  const waiting = await waitingSince(store, company.id, clock() - hours * hour)
  if ((waiting !== undefined) === isRaised) return
  const subject = { companyId: company.id, subject: exportSubject, hours }
  if (waiting === undefined) return store.inHouseTransaction((writer) => lower(writer, subject))
  await raiseAndNotify(watching, company, subject, (to, alarmed) =>
    waitingLetter(to, { ...alarmed, ...waiting, hours }),
  )
}

/** Raises the alert and queues its messages in one transaction, so that only one of several servers does it. */
function raiseAndNotify(
  { store, outbox, clock, address }: Watching,
  company: CompanyTable,
  { companyId, subject, hours }: Pick<Heard, 'companyId' | 'subject' | 'hours'>,
  write: (to: string, alarmed: Alarmed) => Letter,
): Promise<void> {
  return store.inHouseTransaction(async (writer) => {
    const isFirst = await raise(writer, { companyId, subject, hours }, clock())
    if (!isFirst) return
    if (subject === exportSubject) {
      const stalled = { type: 'export.stalled', at: clock(), data: { hours } } as const
      await tell(writer, companyId, stalled)
    }
    if (outbox === null) return
    const alarmed = { company: company.name, zone: company.timezone, address }
    for (const to of await listAdministrators(writer, companyId))
      await outbox.post(writer, 'alarm', write(to, alarmed), dayMs)
  })
}

async function listAdministrators(writer: Writer, companyId: number): Promise<string[]> {
  const members = await listMembers(writer, companyId)
  return members
    .filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null)
    .map(({ email }) => email)
}

/** Microseconds. */
const hour = 3_600_000_000
const dayMs = 24 * 3_600_000
