// ASCII digits: where a run of them ends.

const zero = 48
const nine = 57

export function endOfDigits(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) >= zero && text.charCodeAt(at) <= nine) at += 1
  return at
}
