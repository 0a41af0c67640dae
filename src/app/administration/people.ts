// Users of a company: change role, disable, enable.
import { administered, invalid, numberIn } from '../audited-action.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import type { Asked } from '../route.ts'
import { changePerson, shutOut, type Place } from '../../auth/companies/company-people.ts'
import { isRole } from '../../auth/roles.ts'
import type { Reply } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'

export async function changeOne(asked: Asked): Promise<Reply> {
  const fields = await readFields(asked.request)
  const user = numberIn(fields, 'id')
  const place = placeIn(fields)
  return administered(asked, 'person-change', async (transaction) => {
    await changePerson(transaction, user, place, asked.visitor.caller.company.name)
    return { answer: {}, about: { user, role: place.role } }
  })
}

export function shutOneOut(asked: Asked): Promise<Reply> {
  return shut(asked, 'person-disable')
}

export function letOneIn(asked: Asked): Promise<Reply> {
  return shut(asked, 'person-enable')
}

async function shut(asked: Asked, action: 'person-disable' | 'person-enable'): Promise<Reply> {
  const user = numberIn(await readFields(asked.request), 'id')
  return administered(asked, action, async (transaction, now) => {
    const at = action === 'person-disable' ? now : null
    await shutOut(transaction, user, at, asked.visitor.caller.company.name)
    return { answer: {}, about: { user } }
  })
}

/** Parses role and departments. Throws `MissingField` and `InvalidValue`. */
export function placeIn(fields: Fields): Place {
  const role = textIn(fields, 'role')
  if (!isRole(role)) throw invalid('role', phrase('noSuchChoice'))
  const departments = (fields.get('departments') ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (departments.length > 0 && role !== 'approver')
    throw invalid('departments', phrase('noSuchChoice'))
  return { role, departments: departments.length === 0 ? null : departments }
}
