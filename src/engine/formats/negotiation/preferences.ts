// Parser of the Prefer header (RFC 7240; OData 4.01 part 1, 8.2.8).
import { splitOutsideQuotes } from './header-list.ts'

/** Values by lower-case name, both without `odata.`; the first of two preferences of one name counts. */
export function parsePreferences(header: string | undefined): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  for (const element of splitOutsideQuotes(header ?? '', ',')) {
    const [preference = ''] = splitOutsideQuotes(element, ';')
    const [name = '', value = ''] = preference.split(/=(.*)/s).map((part) => part.trim())
    const bare = name.toLowerCase().replace(/^odata\./, '')
    if (bare !== '' && !preferences.has(bare))
      preferences.set(bare, /^"(?<inside>.*)"$/s.exec(value)?.groups?.inside ?? value)
  }
  return preferences
}
