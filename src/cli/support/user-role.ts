// Parses a role argument.
import { isRole, roles, type Role } from '../../auth/roles.ts'
import { nearest } from '../../lib/closest-match.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'

/** Throws an `OperatorError` with the closest role. */
export function readRole(name: string): Role {
  if (isRole(name)) return name
  const near = nearest(name, roles)
  throw new OperatorError(
    `There is no role "${name}". ${near === undefined ? `Available: ${roles.join(' ')}` : `Did you mean ${near}?`}`,
    exitCodes.usage,
  )
}
