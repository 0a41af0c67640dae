// Character classes of the lexer, by UTF-16 code; NaN stands for the end of the text.

export const quote = 0x27
export const doubleQuote = 0x22
export const plus = 0x2b
export const minus = 0x2d
const dot = 0x2e
export const colon = 0x3a
export const backslash = 0x5c

export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

/** OData 4.01 ABNF, odataIdentifier; qualified names contain dots. */
export function isWordPart(code: number): boolean {
  return isAsciiLetter(code) || isDigit(code) || code === 0x5f || code === dot || isOtherLetter(code)
}

/** Names may begin with `$` (`$it`) and `@` (annotations and aliases). */
export function isWordStart(code: number): boolean {
  return isAsciiLetter(code) || code === 0x5f || code === 0x24 || code === 0x40 || isOtherLetter(code)
}

export function isTermPart(code: number): boolean {
  return (
    !isBlank(code) && !Number.isNaN(code) && code !== doubleQuote && code !== 0x28 && code !== 0x29 && code !== 0x3b
  )
}

function isOtherLetter(code: number): boolean {
  return code >= 0x80 && /[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]/u.test(String.fromCharCode(code))
}

/** Dates contain colons, hyphens and letters; the complete text is validated afterwards. */
export function isLiteralPart(code: number): boolean {
  return (
    isDigit(code) ||
    isAsciiLetter(code) ||
    code === dot ||
    code === plus ||
    code === minus ||
    code === colon ||
    code === 0x5f
  )
}
