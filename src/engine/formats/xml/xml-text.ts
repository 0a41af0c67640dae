// Writes XML: elements with text, nothing that a reader could stumble over.

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>'

/** What a root carries so that `xsi:nil` means null inside. */
export const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

/** An element with a text; null is written as .NET's serializers do. */
export function xmlElement(name: string, text: string | null): string {
  return text === null ? `<${name} xsi:nil="true"/>` : `<${name}>${escapeXml(text)}</${name}>`
}

/** A text inside of double quotes. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;')
}

/** A carriage return would be read as a line feed; what XML 1.0 cannot hold at all becomes U+FFFD. */
function escapeXml(text: string): string {
  return special.test(text) ? text.replace(everySpecial, escapeCharacter) : text
}

const special = /[&<>\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
const everySpecial = new RegExp(special, 'gu')

function escapeCharacter(character: string): string {
  const kept = escapes.get(character)
  if (kept !== undefined) return kept
  // The controls from U+007F on are legal, if seldom meant.
  return character >= '\u007F' && character <= '\u009F' ? character : '\uFFFD'
}

const escapes = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['\t', '\t'],
  ['\n', '\n'],
  ['\r', '&#13;'],
])
