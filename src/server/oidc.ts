// Creates the OIDC login from the configuration.
import { words } from '../app/paths.ts'
import { exitCodes, OperatorError } from '../lib/operator-error.ts'
import { variable, type Config } from '../config/settings.ts'
import { readGroupRole, type GroupRole } from '../sso/group-roles.ts'
import { Provider } from '../sso/provider.ts'
import { SignOn, type SignOnOptions } from '../sso/login.ts'

type OidcLoginParts = Omit<
  SignOnOptions,
  'provider' | 'groupRoles' | 'name' | 'publicUrl' | 'homePath' | 'backPath'
>

/** Applied at start only. Throws an `OperatorError` (78) for invalid role mappings. */
export function signOnOf(config: Config, parts: OidcLoginParts): SignOn | null {
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
  const groupRoles = config.oidcRoles.map(parseGroupRoleSetting)
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

function parseGroupRoleSetting(text: string): GroupRole {
  try {
    return readGroupRole(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new OperatorError(
      `${variable('oidcRoles')}: "${text}" is invalid: ${error.message}.`,
      exitCodes.configuration,
    )
  }
}
