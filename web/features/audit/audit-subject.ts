// What an audit entry is about, as text.
import type { AuditTexts } from '../../i18n/audit.ts'

interface Entry {
  readonly action: string
  /** JSON. */
  readonly data: string
}

/** Long lists are truncated on screen; the CSV has all ids. */
export function subjectText(
  { action, data }: Entry,
  say: AuditTexts,
  listed: (ids: string) => string = shortened,
): string {
  const told: Told = JSON.parse(data)
  const { subjects } = say.audit
  if (told.key !== undefined) return subjects.key(told.key)
  if (told.credential !== undefined) return subjects.credential(told.credential)
  if (told.record !== undefined) return told.record
  if (told.run !== undefined) return subjects.import(String(told.run))
  if (told.how !== undefined) return say.audit.ways[told.how]
  if (told.user !== undefined)
    return told.why === undefined
      ? subjects.user(told.user)
      : subjects.refused(told.user, say.audit.wrongs[told.why])
  if (told.company !== undefined) return subjects.company(told.company)
  if (told.invitation !== undefined) return subjects.invitation(told.invitation)
  if (told.webhook !== undefined) return subjects.webhook(told.webhook)
  if (told.delivery !== undefined) return subjects.delivery(told.delivery)
  if (told.backup !== undefined) return told.backup
  if (told.changed !== undefined) return told.changed
  const ids = listed(told.ids ?? '')
  if (action === 'hand-out') return subjects.handOut(ids, told.count ?? 0)
  if (action === 'claim') return subjects.claimed(String(told.batch), ids)
  if (ofClaims.has(action)) return subjects.claim(ids)
  return ofLines.has(action) ? subjects.lines(ids) : subjects.transactions(ids)
}

/** The only line or transaction of an entry, or null. */
export function lineOf({ action, data }: Entry): number | null {
  return ofLines.has(action) || ofTransactions.has(action) ? onlyId(data) : null
}

/** The only retrieval of an entry, or null. */
export function handOutOf({ action, data }: Entry): number | null {
  return action === 'hand-out' ? onlyId(data) : null
}

function onlyId(data: string): number | null {
  const { ids = '' }: Told = JSON.parse(data)
  return /^\d+$/.test(ids) ? Number(ids) : null
}

/** Data of an audit entry, as the server writes it. */
interface Told {
  readonly ids?: string
  readonly count?: number
  readonly batch?: number
  readonly key?: string
  /** Id of a key, or of a company password. */
  readonly credential?: string
  readonly user?: number
  readonly how?: keyof AuditTexts['audit']['ways']
  readonly why?: keyof AuditTexts['audit']['wrongs']
  /** Set and key of a directory record. */
  readonly record?: string
  /** Id of an import. */
  readonly run?: number
  readonly company?: number
  readonly invitation?: number
  readonly webhook?: number
  readonly delivery?: number
  /** File name. */
  readonly backup?: string
  /** Names of settings. */
  readonly changed?: string
}

const ofClaims: ReadonlySet<string> = new Set(['released', 'done', 'broken'])

const ofLines: ReadonlySet<string> = new Set([
  'mark',
  'fail',
  'closed',
  'undone',
  'retried',
  'sent_back',
])

const ofTransactions: ReadonlySet<string> = new Set([
  'register',
  'edit',
  'approve',
  'reject',
  'withdraw',
])

function shortened(ids: string): string {
  return ids.length > 60 ? `${ids.slice(0, 60)} …` : ids
}
