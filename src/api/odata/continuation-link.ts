// A link to the same address with other options: no more of the caller's own parameters than the standard's options.
import type { Request } from '../../http/request.ts'

/**
 * Absolute, with `carried` as the names of the options that go along. What is set replaces the option of its name;
 * credentials, and all that is unknown, stay behind.
 */
export function linkTo(
  { origin, path, search }: Pick<Request, 'origin' | 'path' | 'search'>,
  set: Readonly<Record<string, string>>,
  carried: string,
): string {
  const names = carried.split(' ').filter((name) => !(`$${name}` in set))
  const added = Object.entries(set).map(([name, value]) => `${name}=${value}`)
  return `${origin}${safe(path)}?${[...optionsIn(search, names), ...added].join('&')}`
}

/** The options of these names, and aliases, as they were written; nothing else that the caller sent. */
function optionsIn(search: string, names: readonly string[]): string[] {
  return search
    .split('&')
    .filter((part) => {
      const name = nameOf(part)
      return name.startsWith('@') || names.includes(name)
    })
    .map(safe)
}

/** In lower case and without `$`, whether it was encoded or not. */
function nameOf(part: string): string {
  const [written = ''] = part.split('=')
  const name = written
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return name.trim().toLowerCase().replace(/^\$/, '')
}

/** What came in as bare bytes goes out encoded; what was encoded stays as it was. */
function safe(text: string): string {
  return text.replace(
    /[^!$&'()*+,\-./\w:;=?@~%]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
