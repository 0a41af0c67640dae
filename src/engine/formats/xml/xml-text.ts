// XML serialization of elements and text.

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>'

/** The namespace attribute of a root that uses `xsi:nil`. */
export const xsi = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'

/** An element with text; null is written as by .NET's serializers. */
export function xmlElement(name: string, text: string | null): string {
  return text === null ? `<${name} xsi:nil="true"/>` : `<${name}>${escapeXml(text)}</${name}>`
}

/** An element for each member. */
export function xmlElements(members: Iterable<readonly [string, string | number | boolean | null]>): string {
  let text = ''
  for (const [name, value] of members) text += xmlElement(name, value === null ? null : String(value))
  return text
}

/** An element with other elements inside. */
export function xmlContainer(name: string, inside: string): string {
  return `<${name}>${inside}</${name}>`
}

/** Text in a double-quoted attribute. */
export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;')
}

/** A carriage return is escaped, or it would be read as a line feed; characters illegal in XML 1.0 become U+FFFD. */
function escapeXml(text: string): string {
  return special.test(text) ? text.replace(everySpecial, escapeCharacter) : text
}

const special = /[&<>\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
const everySpecial = new RegExp(special, 'gu')

function escapeCharacter(character: string): string {
  const kept = escapes.get(character)
  if (kept !== undefined) return kept
  // The controls from U+007F on are legal.
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
