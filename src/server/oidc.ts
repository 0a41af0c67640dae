// The identity provider that a server is configured with.
import { words } from '../app/paths.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { variable, type Config } from '../config/settings.ts'
import { readGroupRole, type GroupRole } from '../sso/group-roles.ts'
import { Provider } from '../sso/provider.ts'
import { SignOn, type SignOnOptions } from '../sso/login.ts'

/** Changes with a restart alone. Throws an `OperatorError` (78) for roles that cannot be read. */
export function signOnOf(
  config: Config,
  parts: Pick<SignOnOptions, 'store' | 'sessions' | 'minting'>,
): SignOn | null {
  const { oidcIssuer: issuer, oidcName: name, publicUrl } = config
  if (issuer === '') return null
  const provider = new Provider({
    issuer,
    clientId: config.oidcClientId,
    clientSecret: config.oidcClientSecret,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
    hosts: config.oidcHosts,
  })
  const groupRoles = config.oidcRoles.map(groupRoleIn)
  return new SignOn({
    ...parts,
    provider,
    groupRoles,
    name,
    publicUrl,
    homePath: words.home,
    backPath: words.signOnBack,
  })
}

function groupRoleIn(text: string): GroupRole {
  try {
    return readGroupRole(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new OperatorError(
      `${variable('oidcRoles')}: "${text}" is not usable: ${error.message}.`,
      exitCodes.configuration,
    )
  }
}
