// Allowed networks of a credential, stored as a JSON list.
import { parseNetworks, type Networks } from '../../lib/network.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

/** The networks as they were entered; null means no restriction. */
export function listAllowedNetworks({
  allowedNetworks,
}: Pick<CredentialTable, 'allowedNetworks'>): readonly string[] | null {
  return allowedNetworks === null ? null : JSON.parse(allowedNetworks)
}

export function parseAllowedNetworks(credential: Pick<CredentialTable, 'allowedNetworks'>): Networks | null {
  const names = listAllowedNetworks(credential)
  return names === null ? null : parseNetworks(names)
}
