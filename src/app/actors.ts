// Who did something, as people read it: journals hold `user:7` and `key:k2x`, screens show the address and the key's name.
import type { Visitor } from '../auth/sessions/sessions.ts'
import type { Reader } from '../store/store.ts'
import { keyNames } from '../store/accounts/credentials.ts'
import { emailsOf } from '../store/accounts/users.ts'

export type NameActor = (actor: string | null) => string | null

/** People of the visitor's company by their address, its keys by name and id; everybody else stays as the journal names them. */
export async function actorNames(reader: Reader, { caller }: Visitor): Promise<NameActor> {
  const people = await emailsOf(reader, caller.companyId)
  const keys = await keyNames(reader, caller.companyId)
  const names = new Map<string, string>([
    ...people.map(({ id, email }) => [`user:${id}`, email] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, `key:${name} (${id})`] as const),
  ])
  return (actor) => (actor === null ? null : (names.get(actor) ?? actor))
}
