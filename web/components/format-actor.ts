// Display name of an actor (`user:7`, `key:…`, `password`, …).
import type { AuditTexts } from '../i18n/audit.ts'
import type { RevenueTexts } from '../i18n/revenue.ts'

export function formatActor(actor: string, t: AuditTexts & RevenueTexts): string {
  if (actor === 'password') return t.revenue.actorPassword
  if (actor === 'anonymous') return t.audit.anonymous
  if (actor === 'groups') return t.audit.identityProviderGroups
  if (actor.startsWith('user:')) return t.audit.subjects.user(Number(actor.slice(5)))
  if (actor.startsWith('password:')) return t.revenue.actorPasswordOf(actor.slice(9))
  return actor.startsWith('key:') ? t.revenue.actorKey(actor.slice(4)) : actor
}
