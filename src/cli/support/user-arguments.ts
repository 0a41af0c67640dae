// Arguments of commands about people: e-mail address, role, departments.
import { emailProblem } from '../../auth/passwords/password-rules.ts'
import { isRole, roles, type Role } from '../../auth/roles.ts'
import { unknownNameError, usageError } from '../../lib/operator-error.ts'

/** Throws an `OperatorError` unless the text is an e-mail address. */
export function requireEmail(text: string): void {
  if (emailProblem(text) !== null) throw usageError(`"${text}" is not an e-mail address.`)
}

/** Throws an `OperatorError` with the closest role. */
export function parseRole(name: string): Role {
  if (isRole(name)) return name
  throw unknownNameError('role', name, roles)
}

/** Parses `10,20`; null means all departments. */
export function parseDepartments(list: string | undefined): string[] | null {
  return list === undefined ? null : list.split(',').map((id) => id.trim())
}
