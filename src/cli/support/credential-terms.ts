// Parses the name, scopes, networks and expiry of a new password or key.
import type { PasswordInput } from '../../auth/tokens/credential-factory.ts'
import { parseScopes, scopes, scopesOfKind, type Scope } from '../../auth/scopes.ts'
import { companyNameProblem } from '../../auth/passwords/password-rules.ts'
import { parseNetworkList } from '../../config/parsers.ts'
import { formatMessage } from '../../errors/messages.ts'
import { OperatorError, unknownNameError, usageError } from '../../lib/operator-error.ts'

/** Throws an `OperatorError` for a name of a company or key that the app rejects too. */
export function requireName(name: string): void {
  const problem = companyNameProblem(name)
  if (problem !== null) throw new OperatorError(`The name is rejected: ${formatMessage(problem, 'en')}.`)
}

/** Parses `--scopes`; rejects unknown scopes, and scopes that a password cannot have. */
export function parseScopesFlag(text: string, kind: keyof typeof scopesOfKind): Scope[] {
  const { scopes: named, unknown } = parseScopes(text)
  const [first] = unknown
  if (first !== undefined) throw unknownNameError('scope', first, scopes)
  const allowed: readonly Scope[] = scopesOfKind[kind]
  const tooMuch = named.filter((one) => !allowed.includes(one))
  if (tooMuch.length > 0) throw usageError(`A password cannot have ${tooMuch.join(' ')}. Use an API key instead.`)
  if (named.length === 0) throw usageError('Specify at least one scope.')
  return named
}

/** Parses `--allow-from`. */
export function parseNetworksFlag(text: string | undefined): string[] | null {
  if (text === undefined) return null
  try {
    const { names } = parseNetworkList(text)
    if (names.length === 0) throw usageError('--allow-from requires at least one network.')
    return [...names]
  } catch (error) {
    if (error instanceof RangeError) throw usageError(error.message)
    throw error
  }
}

/** Parses `--expires`: days from now, or `never`. */
export function parseDays(text: string): number | null {
  if (text === 'never') return null
  if (!/^[1-9]\d{0,4}$/.test(text)) throw usageError('--expires requires a number of days, or "never".')
  return Number(text)
}

/**
 * A weak password must be restricted to few networks, because it could be guessed from anywhere else.
 * Throws an `OperatorError`.
 */
export function requireRestrictedNetworks(
  kind: PasswordInput['kind'],
  allowedNetworks: readonly string[] | null,
): void {
  if (kind !== 'weak') return
  if (allowedNetworks === null || allowedNetworks.length === 0)
    throw usageError('A legacy password requires --allow-from, and is accepted only from those networks.')
  const tooLarge = allowedNetworks.find((name) => Number(name.split('/')[1] ?? Infinity) < weakPasswordPrefixMin)
  if (tooLarge !== undefined)
    throw usageError(
      `${tooLarge} is too large for a weak password. Use a prefix of at least /${weakPasswordPrefixMin}.`,
    )
}

/** The largest private network, 10.0.0.0/8. */
const weakPasswordPrefixMin = 8
