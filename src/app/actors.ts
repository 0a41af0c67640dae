// Display names of actors: logs store `user:7` and `key:k2x`, screens show e-mail and key name.
import type { SessionUser } from '../auth/sessions/sessions.ts'
import type { Reader } from '../store/store.ts'
import { listKeyNames } from '../store/accounts/credentials.ts'
import { listMemberEmails } from '../store/accounts/users.ts'

export type NameActor = <Actor extends string | null>(actor: Actor) => Actor | string

/** Users of the company by e-mail, its keys by name and id; other actors keep their stored name. */
export async function createActorNames(
  reader: Reader,
  { caller }: SessionUser,
): Promise<NameActor> {
  const people = await listMemberEmails(reader, caller.companyId)
  const keys = await listKeyNames(reader, caller.companyId)
  const names = new Map<string, string>([
    ...people.map(({ id, email }) => [`user:${id}`, email] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, `key:${name} (${id})`] as const),
  ])
  return (actor) => (actor === null ? actor : (names.get(actor) ?? actor))
}
