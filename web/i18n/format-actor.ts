// Display name of an actor (`user:7`, `key:…`, `password`, …).
import type { Texts } from './frame.ts'

export function formatActor(actor: string, { actors }: Texts): string {
  if (actor === 'password' || actor === 'anonymous' || actor === 'groups') return actors[actor]
  if (actor.startsWith('user:')) return actors.user(Number(actor.slice(5)))
  if (actor.startsWith('password:')) return actors.passwordOf(actor.slice(9))
  return actor.startsWith('key:') ? actors.key(actor.slice(4)) : actor
}
