// Reads what a command line says about a new password or key.
import type { Password } from '../../auth/tokens/credential-factory.ts'
import { parseScopes, passwordScopes, scopes, type Scope } from '../../auth/scopes.ts'
import { nearest } from '../../lib/closest-match.ts'
import { parseNetworks } from '../../lib/network.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'

/** Reads `--scopes`; refuses what is no scope, or more than a password may carry. */
export function readScopes(text: string, kind: 'password' | 'key'): Scope[] {
  const { scopes: named, unknown } = parseScopes(text)
  const [first] = unknown
  if (first !== undefined) {
    const near = nearest(first, scopes)
    throw misused(
      `There is no scope "${first}". ${near === undefined ? `There are: ${scopes.join(' ')}` : `Did you mean ${near}?`}`,
    )
  }
  const tooMuch = kind === 'key' ? [] : named.filter((one) => !passwordScopes.includes(one))
  if (tooMuch.length > 0)
    throw misused(`A password cannot carry ${tooMuch.join(' ')}: make a key for that.`)
  if (named.length === 0) throw misused('Name at least one scope.')
  return named
}

/** Reads `--allow-from`. */
export function readNetworks(text: string | undefined): string[] | null {
  if (text === undefined) return null
  try {
    return [...parseNetworks(text.split(/[\s,]+/).filter((name) => name !== '')).names]
  } catch (error) {
    if (error instanceof RangeError) throw misused(error.message)
    throw error
  }
}

/** Reads `--expires`: days from now, or `never`. */
export function readDays(text: string): number | null {
  if (text === 'never') return null
  if (!/^[1-9]\d{0,4}$/.test(text)) throw misused('--expires takes a number of days, or never.')
  return Number(text)
}

/**
 * Whoever may try a short password from anywhere will find it, so a weak one stays bound to few addresses.
 * Throws an `OperatorError`.
 */
export function requireBound(kind: Password['kind'], allowFrom: readonly string[] | null): void {
  if (kind !== 'weak') return
  if (allowFrom === null || allowFrom.length === 0)
    throw misused('A password that is taken over needs --allow-from: it opens from there alone.')
  const wide = allowFrom.find((name) => prefixOf(name) < boundPrefixMin)
  if (wide !== undefined)
    throw misused(`${wide} is too wide for a weak password: /${boundPrefixMin} at the least.`)
}

/** The largest private network, 10.0.0.0/8. */
const boundPrefixMin = 8

function prefixOf(network: string): number {
  return Number(network.split('/')[1] ?? boundPrefixMin)
}

function misused(message: string) {
  return new OperatorError(message, exitCodes.usage)
}
