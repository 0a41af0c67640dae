// Unicode code points in error messages.

/** `U+0000`: the first code point of the text. */
export function codePointName(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
