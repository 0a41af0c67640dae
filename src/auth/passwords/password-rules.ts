// Rules for chosen passwords, company names, personal names and e-mail addresses.
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

/**
 * Leaked passwords of at least 15 characters, in lower case: the entries among the 49,000 most common passwords of `@zxcvbn-ts/language-common` 4.1.3 (MIT) that
 * would otherwise pass the rules for length and uncommon letters.
 */
const leakedPasswords: ReadonlySet<string> = new Set(
  `23176djivanfros aksjdlasdakj89879 bhrh0h2oof6xbqjeh bpgjldsgjldthnf hd764nw5d7e1vb1 hd764nw5d7e1vbv
  lhbjkjubz2957704 lytdybrbdfvgbhf mailcreated5240 momsanaladventure ne_e_pod_chehyl nemvxyheqdd5oqxyxyzi
  nick1234-rem936 passwordstandard polniypizdec0211 polniypizdec1102 polniypizdec110211 zqjphsyf6ctifgu`.split(/\s+/),
)

/** Keyboard sequences by rows, columns and zigzag. */
const keyboardWalks =
  'qwertyuiop qwertz qwerty qwert asdfghjkl asdfg asdf zxcvbnm zxcvbn zxcvb 1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm ' +
  'qaz wsx edc rfv tgb yhn ujm zaq xsw cde vfr bgt nhy mju q1w2 e3r4 t5y6 u7i8 o9p0 1q2w 3e4r 5t6y 7u8i 9o0p ' +
  '1qa 2ws 3ed 4rf 5tg qwer'

const words =
  'passord password hemmelig velkommen dagsverk firma admin norge sommer vinter fotball football ' +
  'abcdefgh letmein welcome secret iloveyou monkey dragon'

const commonWords = `${words} ${keyboardWalks}`.split(' ')
