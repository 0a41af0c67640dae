// Who did something, as people read it: journals hold `user:7`, screens show the address.
import type { Visitor } from '#auth/sessions.ts'
import type { Reader } from '#store/store.ts'
import { emailsOf } from '#store/users.ts'

export type NameActor = (actor: string | null) => string | null

/** People of the visitor's company by their address; everybody else stays as the journal names them. */
export const actorNames = async (reader: Reader, { caller }: Visitor): Promise<NameActor> => {
  const people = await emailsOf(reader, caller.companyId)
  const emails = new Map(people.map(({ id, email }) => [`user:${id}`, email]))
  return (actor) => (actor === null ? null : (emails.get(actor) ?? actor))
}
