// What a name and a chosen password must be like, so that they can be sent and cannot be guessed.

export const passwordLengthMin = 15
export const passwordLengthMax = 1_000

/** Why a chosen password is not taken, or null. `context` are words that a guesser would try first. */
export const passwordProblem = (password: string, context: readonly string[]): string | null => {
  if (password !== password.trim()) return 'it begins or ends with a blank, which is lost in a call'
  if (hasControl.test(password)) return 'it has a character that cannot be typed'
  const length = Array.from(password).length
  if (length < passwordLengthMin)
    return `it has ${length} characters; ${passwordLengthMin} are needed`
  if (length > passwordLengthMax) return `it has more than ${passwordLengthMax} characters`
  if (lettersOwn(password, context) < lettersOwnMin)
    return 'it is made of words, runs or repeats that are tried first; a few unrelated words are better'
  return null
}

/** Why a company cannot be called so, or null. */
export const companyNameProblem = (name: string): string | null => {
  if (name === '' || name !== name.trim()) return 'it is empty, or begins or ends with a blank'
  if (Array.from(name).length > 100) return 'it has more than 100 characters'
  if (name.includes(':')) return 'it has a colon, which ends the name in HTTP Basic'
  if (hasControl.test(name)) return 'it has a character that cannot be typed'
  return null
}

const hasControl = /[\p{Cc}\p{Cs}]/u

/** The letters that remain when everything is taken out that a guesser has in the dictionary. */
const lettersOwn = (password: string, context: readonly string[]): number => {
  const words = [...context.flatMap(partsOf), ...common.split(' ')].toSorted(
    (a, b) => b.length - a.length,
  )
  let rest = password.toLowerCase()
  if (/^(.{1,8})\1+$/u.test(rest)) return 0
  for (const word of words) rest = rest.replaceAll(word, ' ')
  return rest.replaceAll(/(.)\1{2,}/gu, '').replaceAll(/[\s\d]/g, '').length
}

const lettersOwnMin = 8

const partsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((part) => part.length >= 3)

const common =
  'passord password hemmelig velkommen dagsverk firma admin norge sommer vinter fotball football ' +
  'qwertyuiop qwerty asdfghjkl asdf zxcvbnm abcdefgh letmein welcome secret iloveyou monkey dragon'
