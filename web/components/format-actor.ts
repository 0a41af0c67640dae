// Display name of an actor (`user:`, `key:`, `password`, …).
import type { AuditTexts } from '../i18n/audit.ts'
import type { RevenueTexts } from '../i18n/revenue.ts'

export function actorText(actor: string, say: AuditTexts & RevenueTexts): string {
  if (actor === 'password') return say.revenue.actorPassword
  if (actor === 'stranger') return say.audit.byStranger
  if (actor === 'groups') return say.audit.byGroups
  if (actor.startsWith('user:')) return say.audit.subjects.user(Number(actor.slice(5)))
  return actor.startsWith('key:') ? say.revenue.actorKey(actor.slice(4)) : actor
}
