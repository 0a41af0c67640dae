// Content negotiation: format and language of a reply by Accept and Accept-Language.
import type { Language } from '../../../errors/messages.ts'
import { readWishes, type Wish } from './header-list.ts'

export type Format = 'json' | 'xml'

export type ErrorFormat = Format | 'problem'

/**
 * JSON, unless XML is named and preferred to JSON. A client that names `text/html` is a browser, which
 * lists XML by default and shows JSON better. Any other request gets JSON; only below the OData service roots does
 * `api/odata/protocol.ts` reply 406.
 */
export function formatFor(accept: string | undefined): Format {
  return prefersXml(readWishes(accept ?? '')) ? 'xml' : 'json'
}

/**
 * Errors follow the same rule; `application/problem+json` (RFC 9457) where it is preferred at least as much as the
 * others. A client that sends XML without a usable Accept gets errors in XML.
 */
export function errorFormat(
  accept: string | undefined,
  contentType: string | undefined,
): ErrorFormat {
  const wishes = readWishes(accept ?? '')
  if (wishes.every(({ name }) => name === '*/*'))
    return isXml(contentType?.split(';')[0]?.trim().toLowerCase() ?? '') ? 'xml' : 'json'
  const format = prefersXml(wishes) ? 'xml' : 'json'
  const problem = weightOf(wishes, 'application/problem+json')
  const other = format === 'xml' ? weightOfXml(wishes) : weightOf(wishes, 'application/json')
  return problem > 0 && problem >= other ? 'problem' : format
}

/** Whether the client is a browser: HTML is named, and preferred to JSON. */
export function wantsHtml(accept: string | undefined): boolean {
  const wishes = readWishes(accept ?? '')
  return weightOf(wishes, 'text/html') > weightOf(wishes, 'application/json')
}

/** Norwegian where it is preferred to English; Nynorsk gets Bokmål too. */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: Wish | undefined
  for (const wish of readWishes(acceptLanguage ?? '')) {
    if (languageNamed(wish.name) !== undefined && wish.weight > (best?.weight ?? 0)) best = wish
  }
  return (best && languageNamed(best.name)) ?? 'en'
}

function prefersXml(wishes: readonly Wish[]): boolean {
  if (wishes.some(({ name, weight }) => name === 'text/html' && weight > 0)) return false
  return weightOfXml(wishes) > weightOf(wishes, 'application/json', 'application/*', '*/*')
}

function weightOfXml(wishes: readonly Wish[]): number {
  return Math.max(weightOf(wishes, 'application/xml'), weightOf(wishes, 'text/xml'))
}

/** The weight of the first of these ranges that is named; callers pass them from the most specific on. */
function weightOf(wishes: readonly Wish[], ...ranges: string[]): number {
  for (const range of ranges) {
    const wish = wishes.find(({ name }) => name === range)
    if (wish !== undefined) return wish.weight
  }
  return 0
}

function isXml(mediaType: string): boolean {
  return mediaType === 'application/xml' || mediaType === 'text/xml'
}

function languageNamed(tag: string): Language | undefined {
  return languages.get(tag.split('-')[0] ?? '')
}

const languages = new Map<string, Language>([
  ['nb', 'nb'],
  ['nn', 'nb'],
  ['no', 'nb'],
  ['en', 'en'],
])
