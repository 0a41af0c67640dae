// What an entry of the audit is about, in words: numbers of transactions, lines, retrievals and claims look alike.
import type { Texts } from '../text/nb.ts'

interface Entry {
  readonly action: string
  /** JSON. */
  readonly data: string
}

export const subjectText = ({ action, data }: Entry, say: Texts): string => {
  const told: Told = JSON.parse(data)
  const { subjects } = say.audit
  if (told.key !== undefined) return subjects.key(told.key)
  if (told.record !== undefined) return told.record
  if (told.run !== undefined) return subjects.import(String(told.run))
  if (told.user !== undefined) return subjects.user(told.user)
  if (told.invitation !== undefined) return subjects.invitation(told.invitation)
  if (told.webhook !== undefined) return subjects.webhook(told.webhook)
  if (told.delivery !== undefined) return subjects.delivery(told.delivery)
  if (told.backup !== undefined) return told.backup
  if (told.changed !== undefined) return told.changed
  const ids = shortened(told.ids ?? '')
  if (action === 'hand-out') return subjects.handOut(ids, told.count ?? 0)
  if (action === 'claim') return subjects.claimed(String(told.batch), ids)
  if (ofClaims.has(action)) return subjects.claim(ids)
  return ofLines.has(action) ? subjects.lines(ids) : subjects.transactions(ids)
}

/** As `materials/deed.ts`, `app/administration.ts`, `app/webhooks.ts` and `imports/` write it. */
interface Told {
  readonly ids?: string
  readonly count?: number
  readonly batch?: number
  readonly key?: string
  readonly user?: number
  /** Set and key of a record of the directory. */
  readonly record?: string
  /** Of an import. */
  readonly run?: number
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

/** A long list is cut, for it stands whole in the database. */
const shortened = (ids: string): string => (ids.length > 60 ? `${ids.slice(0, 60)} …` : ids)
