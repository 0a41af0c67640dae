// The networks that a credential may be used from, which the database keeps as a JSON list.
import { parseNetworks, type Networks } from '../../lib/network.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** As they were written; null for everywhere. */
export function addressesOf({
  addresses,
}: Pick<CredentialTable, 'addresses'>): readonly string[] | null {
  if (addresses === null) return null
  const list: unknown = JSON.parse(addresses)
  return Array.isArray(list) ? list.map(String) : []
}

export function networksOf(credential: Pick<CredentialTable, 'addresses'>): Networks | null {
  const names = addressesOf(credential)
  return names === null ? null : parseNetworks(names)
}
