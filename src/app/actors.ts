// Display names of actors: logs store `user:7` and `key:k2x`, screens show names.
import { actorOf } from '../auth/caller.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import type { Reader } from '../store/store.ts'
import { companyPasswordOwner, listCredentialNames } from '../store/accounts/credentials.ts'
import { listMemberNames } from '../store/accounts/users.ts'

export type NameActor = <Actor extends string | null>(actor: Actor) => Actor | string

/**
 * Users as `Kari Berg <kari@fjord.example>`, or by e-mail where the name is unknown; keys and passwords of integrations by
 * name and id, also revoked ones; others keep their stored name.
 */
export async function createActorNames(reader: Reader, companyId: CompanyId): Promise<NameActor> {
  const people = await listMemberNames(reader, { companyId })
  const credentials = await listCredentialNames(reader, { companyId })
  const names = new Map<string, string>([
    ...people.map(({ id, email, name }) => [`user:${id}`, name === null ? email : `${name} <${email}>`] as const),
    ...credentials
      .filter(({ owner }) => owner !== companyPasswordOwner)
      .map((one) => [actorOf(one), `${one.kind}:${one.name} (${one.id})`] as const),
  ])
  return (actor) => (actor === null ? actor : (names.get(actor) ?? actor))
}
