// Allowed networks of a credential, stored as a JSON list.
import { parseNetworks, type Networks } from '../../lib/network.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** The networks as they were entered; null means no restriction. */
export function listAllowedNetworks({
  allowedNetworks,
}: Pick<CredentialTable, 'allowedNetworks'>): readonly string[] | null {
  if (allowedNetworks === null) return null
  const list: unknown = JSON.parse(allowedNetworks)
  return Array.isArray(list) ? list.map(String) : []
}

export function parseAllowedNetworks(credential: Pick<CredentialTable, 'allowedNetworks'>): Networks | null {
  const names = listAllowedNetworks(credential)
  return names === null ? null : parseNetworks(names)
}
