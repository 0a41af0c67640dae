// Creates the OIDC login from the configuration.
import { appPaths } from '../app/contract/endpoints.ts'
import { variableName, type Config } from '../config/settings.ts'
import { parseGroupRole, type GroupRole } from '../sso/group-roles.ts'
import { OidcLogin, type OidcLoginOptions } from '../sso/login.ts'
import { configurationError } from '../lib/operator-error.ts'

type OidcLoginParts = Omit<OidcLoginOptions, 'provider' | 'groupRoles' | 'name' | 'publicUrl' | 'homePath' | 'backPath'>

/** Applied at start only. Throws an `OperatorError` (78) for invalid role mappings. */
export async function createOidcLogin(config: Config, parts: OidcLoginParts): Promise<OidcLogin | null> {
  const { oidcIssuer: issuer, oidcName: name, publicUrl } = config
  if (issuer === '') return null
  // Here, because few servers have a provider.
  const { OidcProvider } = await import('../sso/provider.ts')
  const provider = new OidcProvider({
    issuer,
    clientId: config.oidcClientId,
    clientSecret: config.oidcClientSecret,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
    hosts: config.oidcHosts,
  })
  const groupRoles = config.oidcRoles.map(parseGroupRoleSetting)
  return new OidcLogin({
    ...parts,
    provider,
    groupRoles,
    name,
    publicUrl,
    homePath: appPaths.home,
    backPath: appPaths.oidcCallback,
  })
}

function parseGroupRoleSetting(text: string): GroupRole {
  try {
    return parseGroupRole(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw configurationError(`${variableName('oidcRoles')}: "${text}" is invalid: ${error.message}.`)
  }
}
