// What an entry of the audit is about, in words: numbers of transactions, lines, retrievals and claims look alike.
import type { AuditTexts } from '../../i18n/audit.ts'

interface Entry {
  readonly action: string
  /** JSON. */
  readonly data: string
}

/** Long lists are cut for the eye; a file has all of them. */
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

/** The line or transaction that an entry is about, where it is one. */
export function lineOf({ action, data }: Entry): number | null {
  return ofLines.has(action) || ofTransactions.has(action) ? onlyId(data) : null
}

/** The retrieval that an entry is about. */
export function handOutOf({ action, data }: Entry): number | null {
  return action === 'hand-out' ? onlyId(data) : null
}

function onlyId(data: string): number | null {
  const { ids = '' }: Told = JSON.parse(data)
  return /^\d+$/.test(ids) ? Number(ids) : null
}

/** As the server writes it: `materials/deed.ts`, `auth/passage.ts`, `imports/`, and `app/` for the rest. */
interface Told {
  readonly ids?: string
  readonly count?: number
  readonly batch?: number
  readonly key?: string
  /** A key, or a password of the company. */
  readonly credential?: string
  readonly user?: number
  /** In which way somebody signed in. */
  readonly how?: keyof AuditTexts['audit']['ways']
  /** What was wrong with a sign-in. */
  readonly why?: keyof AuditTexts['audit']['wrongs']
  /** Set and key of a record of the directory. */
  readonly record?: string
  /** Of an import. */
  readonly run?: number
  readonly company?: number
  readonly invitation?: number
  readonly webhook?: number
  readonly delivery?: number
  /** The name of a file. */
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

/** A long list is cut, for it stands whole in the database. */
function shortened(ids: string): string {
  return ids.length > 60 ? `${ids.slice(0, 60)} …` : ids
}
