// Rules for chosen passwords, company names, personal names and e-mail addresses.
import { leakedPasswords, keyboardWalks } from './leaked-passwords.ts'
import { fieldError } from '../../errors/api-error.ts'
import { message, type LocalizedMessage } from '../../errors/messages.ts'

const passwordLengthMin = 15
const passwordLengthMax = 1_000

/** Why a chosen password is rejected, or null. `context`: words that an attacker would try first. */
export function passwordProblem(password: string, context: readonly string[]): LocalizedMessage | null {
  const unsendable = unsendableProblem(password)
  if (unsendable !== null) return unsendable
  const length = Array.from(password).length
  if (length < passwordLengthMin) return message('tooShort', { count: length, min: passwordLengthMin })
  if (length > passwordLengthMax) return message('tooLong', { max: passwordLengthMax })
  const isGuessable =
    leakedPasswords.has(password.toLowerCase()) || countUncommonLetters(password, context) < uncommonLettersMin
  return isGuessable ? message('easyToGuess') : null
}

/** Throws `InvalidValue` for a password that is rejected. */
export function requireAcceptablePassword(password: string, context: readonly string[]): void {
  const problem = passwordProblem(password, context)
  if (problem !== null) throw fieldError('InvalidValue', 'password', { problem })
}

/** Why a legacy password is rejected, or null. Only passwords that clients cannot send are rejected. */
export function legacyPasswordProblem(password: string): LocalizedMessage | null {
  return password === '' ? message('isEmpty') : unsendableProblem(password)
}

/** Why a company name is rejected, or null. */
export function companyNameProblem(name: string): LocalizedMessage | null {
  if (name.includes(':')) return message('hasColon')
  return personNameProblem(name)
}

/** Why a personal name is rejected, or null. */
export function personNameProblem(name: string): LocalizedMessage | null {
  if (name === '' || name !== name.trim()) return message('emptyOrSpaceAtEdge')
  if (Array.from(name).length > nameLengthMax) return message('tooLong', { max: nameLengthMax })
  return hasControl.test(name) ? message('untypeableCharacter') : null
}

/** Why an e-mail address is rejected, or null. */
export function emailProblem(email: string): LocalizedMessage | null {
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 && !hasControl.test(email)
    ? null
    : message('invalidEmail')
}

const nameLengthMax = 100

function unsendableProblem(password: string): LocalizedMessage | null {
  if (password !== password.trim()) return message('spaceAtEdge')
  return hasControl.test(password) ? message('untypeableCharacter') : null
}

const hasControl = /[\p{Cc}\p{Cs}]/u

/** How many letters remain after removing dictionary and context words. */
function countUncommonLetters(password: string, context: readonly string[]): number {
  const words = [...context.flatMap(splitWords), ...commonWords].toSorted((a, b) => b.length - a.length)
  let rest = password.toLowerCase()
  if (/^(.{1,8})\1+$/u.test(rest)) return 0
  for (const word of words) rest = rest.replaceAll(word, ' ')
  return rest.replaceAll(/(.)\1{2,}/gu, '').replaceAll(/[\s\d]/g, '').length
}

const uncommonLettersMin = 8

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((part) => part.length >= 3)
}

const words =
  'passord password hemmelig velkommen dagsverk firma admin norge sommer vinter fotball football ' +
  'abcdefgh letmein welcome secret iloveyou monkey dragon'

const commonWords = `${words} ${keyboardWalks}`.split(' ')
