// Builds next and delta links: the request's URL with other options, and without custom parameters.
import type { Request } from '../../http/request.ts'

/**
 * An absolute URL. `optionNames` are the options to repeat; `replacements` replaces options by name. Credentials and
 * unknown parameters are dropped.
 */
export function buildLink(
  { origin, path, search }: Pick<Request, 'origin' | 'path' | 'search'>,
  replacements: Readonly<Record<string, string>>,
  optionNames: string,
): string {
  const names = optionNames.split(' ').filter((name) => !(`$${name}` in replacements))
  const added = Object.entries(replacements).map(([name, value]) => `${name}=${value}`)
  return `${origin}${encodeUnsafe(path)}?${[...pickOptions(search, names), ...added].join('&')}`
}

/** The options with these names, and parameter aliases, in the caller's spelling. */
function pickOptions(search: string, names: readonly string[]): string[] {
  return search
    .split('&')
    .filter((part) => {
      const name = nameOf(part)
      return name.startsWith('@') || names.includes(name)
    })
    .map(encodeUnsafe)
}

/** The decoded name in lower case, without `$`. */
function nameOf(part: string): string {
  const [written = ''] = part.split('=')
  const name = written
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return name.trim().toLowerCase().replace(/^\$/, '')
}

/** Percent-encodes raw bytes; what is already encoded stays the same. */
function encodeUnsafe(text: string): string {
  return text.replace(
    /[^!$&'()*+,\-./\w:;=?@~%]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}
