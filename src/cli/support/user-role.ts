// Parses a role argument.
import { isRole, roles, type Role } from '../../auth/roles.ts'
import { closestMatch } from '../../lib/closest-match.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'

/** Throws an `OperatorError` with the closest role. */
export function parseRole(name: string): Role {
  if (isRole(name)) return name
  const near = closestMatch(name, roles)
  throw new OperatorError(
    `There is no role "${name}". ${near === undefined ? `Available: ${roles.join(' ')}` : `Did you mean ${near}?`}`,
    exitCodes.usage,
  )
}
