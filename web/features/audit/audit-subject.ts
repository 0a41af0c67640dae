// What an audit entry is about, as text.
import type { AuditRow } from '../../../src/app/contract/administration.ts'
import type { AuditTexts } from '../../i18n/audit.ts'
import type { Texts } from '../../i18n/frame.ts'
import type { SettingsTexts } from '../administration/settings-i18n.ts'

/** `data` is JSON. */
type AuditEntry = Pick<AuditRow, 'action' | 'data'>

type SubjectTexts = AuditTexts & SettingsTexts & Pick<Texts, 'roles'>

/** Long lists are truncated on screen; the CSV has all ids. */
export function formatSubject(
  { action, data }: AuditEntry,
  t: SubjectTexts,
  formatIds: (ids: string) => string = shorten,
): string {
  const details: AuditData = JSON.parse(data)
  const { subjects } = t.audit
  if (details.key !== undefined) return subjects.key(details.key)
  if (details.password !== undefined) return subjects.password(details.password)
  if (details.credential !== undefined) return subjects.credential(details.credential)
  if (details.record !== undefined) return details.record
  if (details.run !== undefined) return subjects.import(String(details.run))
  if (details.how !== undefined) return t.audit.signInMethods[details.how]
  if (details.user !== undefined)
    return details.why === undefined
      ? subjects.user(details.user)
      : subjects.failed(details.user, t.audit.signInErrors[details.why])
  if (details.company !== undefined) return subjects.company(details.company)
  if (details.invitation !== undefined) return subjects.invitation(details.invitation)
  if (details.webhook !== undefined) return subjects.webhook(details.webhook)
  if (details.delivery !== undefined) return subjects.delivery(details.delivery)
  if (details.backup !== undefined) return details.backup
  if (details.changed !== undefined)
    return details.changed
      .split(' ')
      .map((name) => getSettingName(name, t))
      .join(', ')
  const ids = formatIds(details.ids ?? '')
  if (action === 'retrieve') return subjects.retrieval(ids, details.count ?? 0)
  if (action === 'claim') return subjects.claimed(String(details.batch), ids)
  return claimActions.has(action) ? subjects.claim(ids) : subjects.lines(ids)
}

/** As the screen of the settings calls it. */
function getSettingName(name: string, { audit, settings, roles }: SubjectTexts): string {
  const { zone, currency, dayEndsAt, amounts, switches, factorRequired } = settings
  const names = {
    zone,
    currency,
    export: audit.subjects.exportAlert,
    'day-ends-at': dayEndsAt,
    amounts,
    ...Object.fromEntries(Object.entries(switches).map(([one, { label }]) => [one, label])),
    ...Object.fromEntries(
      Object.entries(roles).map(([role, label]) => [`requires-factor-of-${role}`, `${factorRequired} ${label}`]),
    ),
  }
  return new Map(Object.entries(names)).get(name) ?? name
}

export function getLineId({ action, data }: AuditEntry): number | null {
  return action === 'retrieve' || claimActions.has(action) ? null : parseSingleId(data)
}

export function getRetrievalId({ action, data }: AuditEntry): number | null {
  return action === 'retrieve' ? parseSingleId(data) : null
}

function parseSingleId(data: string): number | null {
  const { ids = '' }: AuditData = JSON.parse(data)
  return /^\d+$/.test(ids) ? Number(ids) : null
}

/** Data of an audit entry, as the server writes it. */
interface AuditData {
  readonly ids?: string
  readonly count?: number
  readonly batch?: number
  readonly key?: string
  readonly password?: string
  /** Id of a key, or of a company password. */
  readonly credential?: string
  readonly user?: number
  readonly how?: keyof AuditTexts['audit']['signInMethods']
  readonly why?: keyof AuditTexts['audit']['signInErrors']
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

const claimActions: ReadonlySet<string> = new Set(['released', 'done', 'broken'])

function shorten(ids: string): string {
  return (ids.length > 60 ? `${ids.slice(0, ids.lastIndexOf(',', 60))} …` : ids)
    .replaceAll(',', ', ')
    .replaceAll('-', '–')
}
