// Users of a company: change role, disable, enable.
import type { Empty } from '../contract/path.ts'
import { auditedAction } from '../company-transaction.ts'
import { idIn, invalidChoiceError } from '../request-values.ts'
import { readFields, textIn, type BodyFields } from '../body.ts'
import type { AppRequest, JsonHandler } from '../route.ts'
import { updateMember, setMemberDisabled, type MembershipRole } from '../../auth/companies/company-people.ts'
import { isRole } from '../../auth/roles.ts'
import type { MembershipTable } from '../../store/tables/accounts.ts'

export async function changeMembership(appRequest: AppRequest): Promise<Empty> {
  const fields = await readFields(appRequest.request)
  const user = idIn(fields, 'id')
  const membership = parseMembership(fields)
  return auditedAction(appRequest, 'person-change', async (transaction) => {
    await updateMember(transaction, user, membership, appRequest.company.name)
    return { result: {}, auditData: { user, role: membership.role } }
  })
}

export const disableMember = memberStateHandler('person-disable')
export const enableMember = memberStateHandler('person-enable')

function memberStateHandler(action: 'person-disable' | 'person-enable'): JsonHandler<Empty> {
  return async (appRequest) => {
    const user = idIn(await readFields(appRequest.request), 'id')
    return auditedAction(appRequest, action, async (transaction, { now }) => {
      const at = action === 'person-disable' ? now : null
      await setMemberDisabled(transaction, user, at, appRequest.company.name)
      return { result: {}, auditData: { user } }
    })
  }
}

/** The stored role and departments of a membership or an invitation. */
export function readMembership({ role, departments }: Pick<MembershipTable, 'role' | 'departments'>): MembershipRole {
  if (!isRole(role)) throw new Error(`the role ${role} is unknown`)
  return { role, departments: departments === null ? null : JSON.parse(departments) }
}

/** Parses role and departments. Throws `MissingField` and `InvalidValue`. */
export function parseMembership(fields: BodyFields): MembershipRole {
  const role = textIn(fields, 'role')
  if (!isRole(role)) throw invalidChoiceError('role')
  const departments = (fields.get('departments') ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (departments.length > 0 && role !== 'approver') throw invalidChoiceError('departments')
  return { role, departments: departments.length === 0 ? null : departments }
}
