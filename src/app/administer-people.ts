// The people of a company: added, given another role, shut out and let in by administrators.
import { administered, checked, invalid, numberIn } from '#app/administered.ts'
import { readFields, textIn, type Fields } from '#app/body.ts'
import type { Asked } from '#app/route.ts'
import { addPerson, changePerson, shutOut, type Place } from '#auth/company-people.ts'
import { hashChosen } from '#auth/password-hash.ts'
import { emailProblem } from '#auth/password-rules.ts'
import { isRole } from '#auth/roles.ts'
import { generatePassword } from '#auth/secret.ts'
import type { Reply } from '#http/request.ts'
import { phrase } from '#phrases.ts'

/** The first password is in this answer and nowhere else; null for a person who had one. */
export const addOne = async (asked: Asked): Promise<Reply> => {
  const fields = await readFields(asked.request)
  const email = checked('email', textIn(fields, 'email').trim(), emailProblem)
  const place = placeIn(fields)
  const text = generatePassword(asked.minting.random)
  const password = { text, hash: await hashChosen(text, asked.minting.hashCost) }
  return administered(asked, 'person-add', async (transaction, now) => {
    const { userId, isNew } = await addPerson(transaction, email, place, { password, now })
    return {
      answer: { email, password: isNew ? text : null },
      about: { user: userId, role: place.role },
    }
  })
}

export const changeOne = async (asked: Asked): Promise<Reply> => {
  const fields = await readFields(asked.request)
  const user = numberIn(fields, 'id')
  const place = placeIn(fields)
  return administered(asked, 'person-change', async (transaction) => {
    await changePerson(transaction, user, place, asked.visitor.caller.company.name)
    return { answer: {}, about: { user, role: place.role } }
  })
}

export const shutOneOut = (asked: Asked): Promise<Reply> => shut(asked, 'person-disable')

export const letOneIn = (asked: Asked): Promise<Reply> => shut(asked, 'person-enable')

const shut = async (asked: Asked, action: 'person-disable' | 'person-enable'): Promise<Reply> => {
  const user = numberIn(await readFields(asked.request), 'id')
  return administered(asked, action, async (transaction, now) => {
    const at = action === 'person-disable' ? now : null
    await shutOut(transaction, user, at, asked.visitor.caller.company.name)
    return { answer: {}, about: { user } }
  })
}

const placeIn = (fields: Fields): Place => {
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
