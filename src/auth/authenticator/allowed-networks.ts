// Allowed networks of a credential, stored as a JSON list.
import { parseNetworks, type Networks } from '../../lib/network.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** The networks as they were entered; null means no restriction. */
export function listAllowedNetworks({
  addresses,
}: Pick<CredentialTable, 'addresses'>): readonly string[] | null {
  if (addresses === null) return null
  const list: unknown = JSON.parse(addresses)
  return Array.isArray(list) ? list.map(String) : []
}

export function parseAllowedNetworks(
  credential: Pick<CredentialTable, 'addresses'>,
): Networks | null {
  const names = listAllowedNetworks(credential)
  return names === null ? null : parseNetworks(names)
}
